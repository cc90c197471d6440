#include "results/again.h"

#include <math.h>
#include <string.h>

#include <tilewright/base.h>

#include "base/spec.h"
#include "experiment/load.h"
#include "machine/machine.h"
#include "request/identity.h"

static const char *text_of(const struct tw__rows *rows, int row, const char *column)
{
	return tw__rows_text(rows, row, tw__rows_column(rows, column));
}

/* Returns the row's cell in that column; NULL if the column is missing or the cell is empty. */
static const char *given(const struct tw__rows *rows, int row, const char *column)
{
	const char *text = text_of(rows, row, column);
	return *text ? text : NULL;
}

/* Reads a cell as an integer from 0 to 2^53. An empty cell gives the value `missing`. */
static int whole(const struct tw__rows *rows, int row, const char *column, uint64_t missing, uint64_t *value,
                 struct tw_error *err)
{
	double real;
	int status = tw__rows_number(rows, row, tw__rows_column(rows, column), &real, err);
	*value = missing;
	if (status < 0 || isnan(real))
		return status;
	if (!(real >= 0 && real <= 9007199254740992.0 && real >= floor(real) && real <= floor(real)))
		return tw_fail(err, TW_INVALID, "%s '%.60s': expected a whole number", column,
		               text_of(rows, row, column));
	*value = (uint64_t)real;
	return TW_OK;
}

static int number_of_workers(const struct tw__rows *rows, int row, const char *column, int *n, struct tw_error *err)
{
	uint64_t value;
	int status = whole(rows, row, column, UINT64_MAX, &value, err);
	*n = value == UINT64_MAX ? TW__ALL_WORKERS : value > 1000000 ? 1000000 : (int)value;
	return status;
}

/* Rebuilds the request of the run that the row describes. `*gpu_mem_bytes`: usable memory of a GPU, whether --gpu-mem
 * or the card limited it; 0: the row has none. */
static int read_request(struct tw__request *q, uint64_t *gpu_mem_bytes, const struct tw__rows *rows, int row,
                        struct tw_error *err)
{
	uint64_t repeat = 0;
	*q = (struct tw__request){
		.platform = text_of(rows, row, "platform"),
		.workload = text_of(rows, row, "workload"),
		.policy = text_of(rows, row, "policy"),
		.eviction = given(rows, row, "eviction"),
		.engine = given(rows, row, "engine"),
		.runtime = given(rows, row, "runtime"),
		.noise = given(rows, row, "noise"),
		.speedup = given(rows, row, "speedup"),
		.speedup_is_checked = true,
		.choice = {.cpu_groups = given(rows, row, "cpu_groups"),
	                   .no_communication = !strcmp(text_of(rows, row, "communication"), "off")},
	};
	int status = whole(rows, row, "seed", 1, &q->seed, err);
	if (status == TW_OK)
		status = whole(rows, row, "repeat", 0, &repeat, err);
	q->repeat = repeat > 1000000000 ? 1000000000 : (int)repeat;
	q->seed -= (uint64_t)q->repeat; /* rows have the repetition's own seed */
	if (status == TW_OK)
		status = number_of_workers(rows, row, "cpus", &q->choice.cpus, err);
	if (status == TW_OK)
		status = number_of_workers(rows, row, "gpus", &q->choice.gpus, err);
	if (status == TW_OK)
		status = whole(rows, row, "gpu_mem_bytes", 0, gpu_mem_bytes, err);
	if (status == TW_OK)
		status = tw__rows_number(rows, row, tw__rows_column(rows, "belief_error"), &q->belief_error, err);
	if (isnan(q->belief_error))
		q->belief_error = 0;
	return status;
}

/* Returns combination `i` of five options that a row does not record, though the run's identity depends on them. These
 * are: --cpus and --gpus given or left out (all workers), --gpu-mem given or not, --extrapolate, --validate. identify()
 * tries all 32. */
enum { WAYS = 32 };
static struct tw__request way(const struct tw__request *q, uint64_t gpu_mem_bytes, int i)
{
	struct tw__request other = *q;
	if (i & 1)
		other.choice.cpus = TW__ALL_WORKERS;
	if (i & 2)
		other.choice.gpus = TW__ALL_WORKERS;
	other.choice.gpu_mem_bytes = i & 4 ? gpu_mem_bytes : 0;
	other.extrapolate = i & 8;
	other.validate = i & 16;
	return other;
}

/* Sets *q to the combination of unrecorded options that gives the row's identity. `*found`: whether a combination
 * does. */
static int identify(struct tw__request *q, uint64_t gpu_mem_bytes, const char *identity, bool *found,
                    struct tw_error *err)
{
	struct tw__identifier *identifier;
	const struct tw__request base = *q;
	int status = tw__identifier_create(&identifier, err);
	*found = false;
	for (int i = 0; i < WAYS && status == TW_OK && !*found; i++) {
		char text[TW__DIGEST_TEXT];
		struct tw__request other = way(&base, gpu_mem_bytes, i);
		status = tw__identify(identifier, &other, text, err);
		*found = status == TW_OK && !strcmp(text, identity);
		if (*found)
			*q = other;
	}
	tw__identifier_destroy(identifier);
	return status;
}

/* Guesses the unrecorded options of a row without a usable identity. The makespan of the repeated run shows whether the
 * guess was right. */
static void guess(struct tw__request *q, uint64_t gpu_mem_bytes)
{
	*q = way(q, gpu_mem_bytes, 4 | 8);
	if (q->choice.no_communication || q->choice.gpus == 0)
		q->choice.gpu_mem_bytes = 0;
}

/* Refuses a run that was measured on a machine: measured runs do not repeat exactly. */
static int check_measured(const struct tw__request *q, struct tw_error *err)
{
	const struct tw__engine_ops *engine = tw__engine_of(q);
	if (engine && (engine->caps & TW__ENGINE_COMPUTES))
		return tw_fail(err, TW_FAILED,
		               "engine '%s' measured this run: expected a simulation, which repeats exactly",
		               engine->name);
	if (tw__is_machine(q))
		return tw_fail(
			err, TW_FAILED,
			"platform '%s' times its kernels in each run: expected a platform with a file of kernel times",
			q->platform);
	return TW_OK;
}

static int check_version(const struct tw__rows *rows, int row, struct tw_error *err)
{
	const char *version = text_of(rows, row, "version");
	return !*version || !strcmp(version, tw__results_version())
	               ? TW_OK
	               : tw_fail(err, TW_FAILED, "its version is %.60s, this is %s", version, tw__results_version());
}

static int compare(const struct tw__rows *rows, int row, const struct tw__result *result, bool identified,
                   struct tw_error *err)
{
	const char *but =
		identified ? "" : "; its identity belongs to other inputs: a file changed, or --mem was given";
	const char *makespan_s = text_of(rows, row, "makespan_s");
	int64_t makespan;
	if (!tw_decimal_scientific(makespan_s, 9, &makespan))
		return tw_fail(err, TW_INVALID, "its makespan_s is '%.40s', expected seconds", makespan_s);
	if (result->status != TW__RUN_OK)
		return tw_fail(err, TW_FAILED, "it fails now: %.300s%s", result->message, but);
	if (result->counters.makespan == makespan)
		return TW_OK;
	return tw_fail(err, TW_FAILED, "it takes %.9f s now, not %.40s s%s", tw__seconds(result->counters.makespan),
	               makespan_s, but);
}

int tw__run_again(const struct tw__rows *rows, int row, const char *trace, struct tw_error *err)
{
	struct tw__request request;
	struct tw__result result;
	uint64_t gpu_mem_bytes = 0;
	const char *identity = text_of(rows, row, "identity"), *status_text = text_of(rows, row, "status");
	bool identified = false;
	if (*status_text && strcmp(status_text, "ok") != 0)
		return tw_fail(err, TW_FAILED, "it failed: %.300s", text_of(rows, row, "message"));
	int status = check_version(rows, row, err);
	if (status == TW_OK)
		status = read_request(&request, &gpu_mem_bytes, rows, row, err);
	if (status == TW_OK)
		status = check_measured(&request, err);
	if (status == TW_OK && *identity)
		status = identify(&request, gpu_mem_bytes, identity, &identified, err);
	if (status == TW_OK) {
		if (!identified)
			guess(&request, gpu_mem_bytes);
		request.trace = trace;
		request.validate = false; /* validation would not change the run, and takes time */
		status = tw__experiment_run(&request, &result, err);
	}
	if (status == TW_OK)
		status = compare(rows, row, &result, identified || !*identity, err);
	return status == TW_INVALID ? TW_FAILED : status;
}
