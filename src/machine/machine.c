#include "machine/machine.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "engine/real/config.h"
#include "process/fork.h"

bool tw__is_machine(const struct tw__request *q) { return strcmp(q->platform, TW__MACHINE_NAME) == 0; }

/* --- GPUs --------------------------------------------------------------------------------------------------------- */

enum { MOST_SECONDS = 120 }; /* time limit to detect all GPUs; then a signal ends the process that detects them */

struct found {
	int status;
	struct tw_error err;
	struct tw__gpus gpus;
};

static void detect(const void *arg, void *result)
{
	struct found *found = result;
	(void)arg;
	alarm(MOST_SECONDS);
	found->status = tw__real_detect_gpus(&found->gpus, &found->err);
}

/* Detects this machine's GPUs at the first call, and returns the same result later. Measured speeds of links vary, and
 * all runs of a sweep need the same platform. */
static const struct found *find_gpus(void)
{
	static struct found found;
	static bool has_looked;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&lock);
	if (!has_looked) {
		double start_s = tw__wall_s();
		int status =
			tw__fork_run(detect, NULL, &found, sizeof found, "the process that looks for GPUs", &found.err);
		if (status < 0 && tw__wall_s() - start_s >= MOST_SECONDS)
			tw_fail(&found.err, status, "CUDA did not answer within %d s", MOST_SECONDS);
		found.status = status < 0 ? status : found.status;
		has_looked = true;
	}
	pthread_mutex_unlock(&lock);
	return &found;
}

/* Sets `*gpus` to the GPUs of this machine; NULL: the run uses none. A machine without GPUs is an error only if the
 * user asks for some. */
static int choose_gpus(const struct tw__gpus **gpus, const struct tw__request *q, struct tw_error *err)
{
	int asked = q->choice.gpus;
	*gpus = NULL;
	if (asked == 0)
		return TW_OK;
	const struct found *found = find_gpus();
	if (asked == TW__ALL_WORKERS && found->status == TW_INVALID)
		return TW_OK;
	if (found->status == TW_INVALID)
		return tw_fail(err, TW_INVALID,
		               "--gpus %d: this machine has no GPU that can be used: %.300s: expected --gpus 0%s",
		               asked, found->err.message,
		               q->lacks_emulate ? "" : ", or --emulate gpus=N:bandwidth=...");
	if (found->status < 0)
		return tw_fail(err, found->status, "GPUs of this machine: %.400s: --gpus 0 leaves them out",
		               found->err.message);
	if (asked > found->gpus.n)
		return tw_fail(err, TW_INVALID, "--gpus %d: CUDA shows %d: expected at most as many", asked,
		               found->gpus.n);
	*gpus = &found->gpus;
	return TW_OK;
}

/* --- the platform ------------------------------------------------------------------------------------------------- */

int tw__machine_all(struct tw__platform **all, const struct tw__request *q, bool numa, struct tw_error *err)
{
	struct tw__emulation emulation;
	const struct tw__gpus *gpus;
	int status;
	if (!q->emulate) {
		status = choose_gpus(&gpus, q, err);
		return status == TW_OK ? tw__machine_platform(all, NULL, gpus, numa, err) : status;
	}
	status = tw__emulation_parse(&emulation, q->emulate, err);
	if (status == TW_OK)
		status = tw__emulation_check(&emulation, err);
	return status == TW_OK ? tw__machine_platform(all, &emulation, NULL, numa, err) : status;
}

int tw__machine_load(struct tw__platform **platform, const struct tw__request *q, struct tw_error *err)
{
	struct tw__platform *all;
	if (q->choice.gpu_workers)
		return tw_fail(
			err, TW_INVALID,
			"several workers of a GPU: not on platform '%s', whose kernels are timed: expected another one",
			TW__MACHINE_NAME);
	int status = tw__machine_all(&all, q, false, err);
	if (status < 0)
		return status;
	status = tw__platform_select(platform, all, &q->choice, err);
	tw__platform_destroy(all);
	return status;
}
