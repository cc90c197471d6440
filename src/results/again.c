#include "results/again.h"

#include <string.h>

#include <tilewright/base.h>

#include "experiment/load.h"
#include "machine/machine.h"
#include "request/fields.h"
#include "request/identity.h"

static const char *text_of(const struct tw__rows *rows, int row, const char *column)
{
	return tw__rows_text(rows, row, tw__rows_column(rows, column));
}

/* Makes the request of the run that the row describes, from the columns that hold inputs as they were given. A file
 * that lacks the column given_gpus has the number of GPUs that the run used; so with the other two of that kind. */
static int read_request(struct tw__request *q, const struct tw__rows *rows, int row, struct tw_error *err)
{
	static const char prefix[] = "given_";
	int status = TW_OK;
	*q = tw__request_empty();
	for (const struct tw__field *f = tw__fields; f->name && status == TW_OK; f++) {
		int column = f->column ? tw__rows_column(rows, f->column) : -1;
		if (f->column && column < 0 && strncmp(f->column, prefix, strlen(prefix)) == 0)
			column = tw__rows_column(rows, f->column + strlen(prefix));
		const char *text = tw__rows_text(rows, row, column);
		bool is_none = f->type == TW__FIELD_SIZE && !strcmp(text, "0"); /* the memory of no GPU */
		if (*text && !is_none)
			status = tw__field_set(f, q, text, err);
	}
	q->seed -= (uint64_t)q->repeat; /* rows have the repetition's own seed */
	q->factors_are_checked = true;
	if (status == TW_OK && !(q->platform && q->workload && q->policy))
		status = tw_fail(err, TW_FAILED, "the row has no %s: expected it in its column",
		                 !q->platform   ? "platform"
		                 : !q->workload ? "workload"
		                                : "policy");
	return status;
}

/* Whether the row's identity is that of the request; an empty one is. */
static int identify(const struct tw__request *q, const char *identity, bool *is, struct tw_error *err)
{
	struct tw__identifier identifier = {0};
	char text[TW__DIGEST_TEXT] = "";
	int status = tw__identify(&identifier, q, text, err);
	*is = !*identity || !strcmp(text, identity);
	tw__identifier_finish(&identifier);
	return status;
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
	const char *but = identified ? "" : "; its identity belongs to other inputs: a file changed";
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
	const char *status_text = text_of(rows, row, "status");
	bool identified = false;
	if (*status_text && strcmp(status_text, "ok") != 0)
		return tw_fail(err, TW_FAILED, "it failed: %.300s", text_of(rows, row, "message"));
	int status = check_version(rows, row, err);
	if (status == TW_OK)
		status = read_request(&request, rows, row, err);
	if (status == TW_OK)
		status = check_measured(&request, err);
	if (status == TW_OK)
		status = identify(&request, text_of(rows, row, "identity"), &identified, err);
	if (status == TW_OK) {
		request.trace = trace;
		request.validate = false; /* validation would not change the run, and takes time */
		status = tw__experiment_run(&request, &result, err);
	}
	if (status == TW_OK)
		status = compare(rows, row, &result, identified, err);
	return status == TW_INVALID ? TW_FAILED : status;
}
