#include "experiment/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/new_file.h"

#define FILE_NAME "kernels.csv"
#define LOCK_NAME ".lock"

static int read_folder(struct tw__learned **learned, const struct tw__plan *plan, struct tw_error *err)
{
	char *path = tw_format("%s/%s", plan->request->learn, FILE_NAME);
	int status = tw__learned_create(learned, path, &plan->truth, plan->scene->platform, plan->scene->graph, err);
	free(path);
	return status;
}

static int check_request(const struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__request *q = plan->request;
	if (plan->scene->platform->n_ranks > 1)
		return tw_fail(err, TW_INVALID, "--learn: the platform has %d nodes: expected one",
		               plan->scene->platform->n_ranks);
	if (tw__computing_is_empty(plan))
		return tw_fail(err, TW_INVALID, "--learn: kernels=empty: expected kernels that take time");
	if (q->belief_error > 0)
		return tw_fail(err, TW_INVALID, "--learn: policies see the learnt times: expected no --belief-error");
	return TW_OK;
}

int tw__learn_check(struct tw__plan *plan, struct tw_error *err)
{
	struct tw__learned *learned = NULL;
	if (!plan->request->learn)
		return TW_OK;
	int status = check_request(plan, err);
	if (status == TW_OK && plan->request->repeat == 0)
		status = tw__new_file_try("--learn", plan->request->learn, FILE_NAME, err);
	if (status == TW_OK)
		status = read_folder(&learned, plan, err);
	tw__learned_destroy(learned);
	return status;
}

/* Locks the folder of --learn for this run. The operating system releases the lock when the process ends, in any
 * way. */
static int take_lock(struct tw__learning *l, const char *folder, struct tw_error *err)
{
	char *path = tw_format("%s/%s", folder, LOCK_NAME);
	l->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	free(path);
	if (l->lock < 0)
		return tw_fail(err, TW_FAILED, "--learn '%.300s': %s", folder, strerror(errno));
	if (flock(l->lock, LOCK_EX | LOCK_NB) == 0)
		return TW_OK;
	return tw_fail(err, TW_FAILED, "--learn '%.300s': another run learns there: expected one at a time", folder);
}

int tw__learning_begin(struct tw__learning *l, const struct tw__plan *plan, struct tw_error *err)
{
	*l = (struct tw__learning){.belief = plan->belief, .lock = -1};
	if (!plan->request->learn)
		return TW_OK;
	int status = take_lock(l, plan->request->learn, err);
	if (status == TW_OK)
		status = read_folder(&l->learned, plan, err);
	if (status == TW_OK)
		tw__learned_believe(l->learned, &l->belief);
	return status;
}

int tw__learning_save(struct tw__learning *l, const struct tw__plan *plan, struct tw_error *err)
{
	struct tw__new_file file;
	if (!l->learned)
		return TW_OK;
	int status = tw__new_file_in(&file, "--learn", plan->request->learn, FILE_NAME, err);
	if (status < 0)
		return tw_fail(err, TW_FAILED, "%s", err->message);
	tw__learned_write(l->learned, file.f);
	return tw__new_file_close(&file, err);
}

void tw__learning_finish(struct tw__learning *l)
{
	tw__learned_destroy(l->learned);
	if (l->lock >= 0)
		close(l->lock);
	*l = (struct tw__learning){.lock = -1};
}
