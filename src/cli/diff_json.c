/* The differences of two runs as JSON. jansson notes that it is out of memory by NULL, which it passes on. */
#include <math.h>
#include <stdlib.h>

#include "cli/diff_print.h"
#include "base/json_text.h"
#include "graph/graph.h"
#include "trace/event_fields.h"

/* --- what is compared --------------------------------------------------------------------------------------------- */

static json_t *run_json(const struct tw__diff *d, const struct tw__past *past, int run)
{
	const struct tw__request *r = &past->request;
	return json_pack("{s:o, s:o, s:o, s:o, s:f}", "trace", tw__json_text(past->section.path), "platform",
	                 tw__json_text(r->platform), "workload", tw__json_text(r->workload), "policy",
	                 tw__json_text(r->policy), "makespan_s", tw__seconds(d->of[run].makespan));
}

static void append_argument(void *list, const char *name, const char *a, const char *b)
{
	json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "name", name, "a", a ? tw__json_text(a) : json_null(),
	                                      "b", b ? tw__json_text(b) : json_null()));
}

static json_t *arguments_json(const struct tw__past runs[2])
{
	json_t *list = json_array();
	diff_arguments(runs, append_argument, list);
	return list;
}

/* --- time --------------------------------------------------------------------------------------------------------- */

/* NAN becomes null. */
static json_t *seconds_json(double s) { return isnan(s) ? json_null() : json_real(s); }

static json_t *cause_json(enum tw__why why, double a, double b)
{
	return json_pack("{s:s, s:o, s:o, s:o}", "name", tw__why_names[why], "a_s", seconds_json(a), "b_s",
	                 seconds_json(b), "difference_s", seconds_json(b - a));
}

static json_t *causes_json(const struct tw__diff *d)
{
	enum tw__why order[TW__N_WHY];
	int n = tw__diff_order(d, order);
	json_t *list = json_array();
	for (int i = 0; i < n; i++)
		json_array_append_new(list, cause_json(order[i], tw__seconds(d->of[0].chain[order[i]]),
		                                       tw__seconds(d->of[1].chain[order[i]])));
	return list;
}

static int workers_of(const struct tw__diff *d, int run, int kind)
{
	int number = d->kinds.in[run][kind];
	return number == TW_NONE ? 0 : d->of[run].kinds[number].n_workers;
}

static json_t *workers_json(const struct tw__diff *d)
{
	json_t *list = json_array();
	for (int kind = 0; kind < d->kinds.n; kind++) {
		enum tw__why order[TW__N_WHY];
		int n = tw__diff_kind_order(d, kind, order);
		json_t *causes = json_array();
		for (int i = 0; i < n; i++)
			json_array_append_new(causes, cause_json(order[i], tw__diff_kind_seconds(d, 0, kind, order[i]),
			                                         tw__diff_kind_seconds(d, 1, kind, order[i])));
		json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:o}", "kind", d->kinds.list[kind], "a_workers",
		                                      workers_of(d, 0, kind), "b_workers", workers_of(d, 1, kind),
		                                      "causes", causes));
	}
	return list;
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

/* Where and when the task ran in one run; null: it did not. */
static json_t *place_json(const struct tw__diff *d, int run, tw_task t)
{
	const struct tw__diff_task *task = &d->tasks[run][t];
	if (task->worker == TW_NONE)
		return json_null();
	return json_pack("{s:s, s:f, s:f, s:f, s:f, s:b}", "worker", d->runs[run]->platform->workers[task->worker].name,
	                 "assigned_s", tw__seconds(task->assign), "start_s", tw__seconds(task->start), "end_s",
	                 tw__seconds(task->end), "held_s", tw__seconds(task->held), "on_chain", task->on_chain);
}

static json_t *task_json(const struct tw__diff *d, tw_task t)
{
	const struct tw_graph *g = d->runs[0]->graph;
	if (t == TW_NONE)
		return json_null();
	return json_pack("{s:i, s:s, s:o, s:o}", "task", (int)t, "kernel", g->kernels[g->kernel[t]].name, "a",
	                 place_json(d, 0, t), "b", place_json(d, 1, t));
}

static json_t *moves_json(const struct tw__diff_move *moves, size_t n, const struct tw__diff_names *names)
{
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:I}", "from", names->list[moves[i].from], "to",
		                                      names->list[moves[i].to], "tasks", (json_int_t)moves[i].tasks));
	return list;
}

static json_t *tasks_json(const struct tw__diff *d)
{
	json_t *most = json_array();
	for (int i = 0; i < d->n_most; i++)
		json_array_append_new(most, task_json(d, d->most[i]));
	return json_pack("{s:i, s:i, s:i, s:i, s:[i, i], s:o, s:o, s:o}", "all", (int)d->n_tasks, "other_worker",
	                 (int)d->n_other_worker, "other_kind", (int)d->n_other_kind, "other_date", (int)d->n_other_date,
	                 "appended", (int)d->n_appended[0], (int)d->n_appended[1], "by_kind",
	                 moves_json(d->kind_moves, d->n_kind_moves, &d->kinds), "by_worker",
	                 moves_json(d->worker_moves, d->n_worker_moves, &d->workers), "most", most);
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static json_t *transfers_json(const struct tw__diff *d)
{
	json_t *list = json_array();
	for (size_t i = 0; i < d->n_bytes; i++) {
		const struct tw__diff_bytes *b = &d->bytes[i];
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "from", d->memories.list[b->from], "to",
		                        d->memories.list[b->to], "cause", tw__cause_names[b->cause], "a_bytes",
		                        (json_int_t)b->bytes[0], "b_bytes", (json_int_t)b->bytes[1], "a_transfers",
		                        (json_int_t)b->transfers[0], "b_transfers", (json_int_t)b->transfers[1]));
	}
	return list;
}

/* Loads and evictions of one run; null: it has no such memory. */
static json_t *use_json(const struct tw__diff *d, int run, int memory)
{
	int number = d->memories.in[run][memory];
	if (number == TW_NONE)
		return json_null();
	const struct tw__memory_use *m = &d->of[run].memories[number];
	json_t *capacity = d->runs[run]->capacity[number] == UINT64_MAX
	                           ? json_null()
	                           : json_integer((json_int_t)d->runs[run]->capacity[number]);
	return json_pack("{s:o, s:I, s:I, s:I, s:I}", "capacity_bytes", capacity, "loads", (json_int_t)m->loads,
	                 "loads_again", (json_int_t)m->reloads, "bytes_again", (json_int_t)m->reloaded_bytes,
	                 "evictions", (json_int_t)m->evictions);
}

static json_t *memories_json(const struct tw__diff *d)
{
	json_t *list = json_array();
	for (int n = 0; n < d->memories.n; n++)
		json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "memory", d->memories.list[n], "a",
		                                      use_json(d, 0, n), "b", use_json(d, 1, n)));
	return list;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* The sentences as one text; NULL: out of memory. */
static json_t *summary_json(const struct tw__diff *d)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	tw__diff_sentences(f, d);
	json_t *summary = NULL;
	if (fclose(f) == 0) {
		for (size_t i = 0; i < size; i++)
			text[i] = text[i] == '\n' ? ' ' : text[i];
		summary = json_stringn(text, size - 1);
	}
	free(text);
	return summary;
}

int print_diff_json(FILE *f, const struct tw__diff *d, const struct tw__past runs[2], struct tw_error *err)
{
	double difference_s = tw__seconds(d->of[1].makespan - d->of[0].makespan);
	json_t *all = json_pack("{s:o, s:o, s:o, s:b, s:o, s:f, s:o, s:o, s:{s:o, s:o}, s:o, s:o, s:o}", "a",
	                        run_json(d, &runs[0], 0), "b", run_json(d, &runs[1], 1), "arguments",
	                        arguments_json(runs), "same", d->same, "summary", summary_json(d), "difference_s",
	                        difference_s, "causes", causes_json(d), "workers", workers_json(d), "part", "start",
	                        task_json(d, d->first_start), "assignment", task_json(d, d->first_assign), "tasks",
	                        tasks_json(d), "transfers", transfers_json(d), "memories", memories_json(d));
	if (!all)
		return tw_fail(err, TW_NOMEM, "diff: out of memory");
	char *text = json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(all);
	if (!text)
		return tw_fail(err, TW_NOMEM, "diff: out of memory");
	fprintf(f, "%s\n", text);
	free(text);
	return TW_OK;
}
