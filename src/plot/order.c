/* Collects the data of the figure "order": maps of the order in which tiles were processed. See Gonthier, Thibault and
 * Marchal 2024, figures 8, 9 and 13. */
#include "plot/order.h"

#include <stdlib.h>
#include <string.h>

#include "graph/ranks.h"
#include "policies/support/schedule.h"

enum { DEFAULT_ITERATIONS = 4, MAX_COLOURS = 14 };

struct start {
	tw__ns date; /* start of the task, or its position in a table; -1: unknown */
	tw_task task;
};

static int by_date_then_task(const void *a, const void *b)
{
	const struct start *x = a, *y = b;
	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return (x->task > y->task) - (x->task < y->task);
}

static int check_box(const struct tw__order *o, const struct tw__box *b, struct tw_error *err)
{
	const struct tw_graph *g = o->tiles.graph;
	const char *kernel = o->trace.kernels[b->kernel];
	if (b->task >= g->n_tasks)
		return tw_fail(err, TW_INVALID,
		               "%s: task %d, but workload '%.100s' has %d tasks: expected a trace of that workload",
		               o->request->trace, b->task, o->workload, (int)g->n_tasks);
	const char *expected = g->kernels[g->kernel[b->task]].name;
	if (strcmp(kernel, expected) != 0)
		return tw_fail(
			err, TW_INVALID,
			"%s: task %d is '%.60s', but '%.60s' in workload '%.100s': expected a trace of that workload",
			o->request->trace, b->task, kernel, expected, o->workload);
	return TW_OK;
}

/* Takes the start and worker of each task from the trace. Only the last execution of a task counts: earlier ones were
 * cancelled. */
static int take_boxes(struct tw__order *o, struct start *starts, struct tw_error *err)
{
	const struct tw__ranks *ranks = o->trace.graph->ranks;
	int status = TW_OK;
	for (size_t i = 0; i < o->trace.n_boxes && status == TW_OK; i++) {
		struct tw__box b = o->trace.boxes[i];
		b.task = ranks && b.task < ranks->first[ranks->n] ? ranks->origin[b.task] : b.task;
		status = check_box(o, &b, err);
		if (status == TW_OK && b.start >= starts[b.task].date) {
			starts[b.task].date = b.start;
			o->worker_of[b.task] = b.worker;
		}
	}
	return status;
}

static int take_table(struct tw__order *o, struct start *starts, struct tw_error *err)
{
	struct tw_scheduled *tasks;
	int status = tw_schedule_read(&tasks, o->request->trace, o->tiles.graph, err);
	for (tw_task t = 0; t < o->tiles.graph->n_tasks && status == TW_OK; t++)
		starts[t].date = tasks[t].place.order;
	if (status == TW_OK)
		free(tasks);
	return status;
}

static int find_order(struct tw__order *o, bool is_table, struct tw_error *err)
{
	tw_task n = o->tiles.graph->n_tasks;
	struct start *starts = tw__arena_alloc(&o->arena, (size_t)n, sizeof *starts);
	o->started = tw__arena_alloc(&o->arena, (size_t)n, sizeof *o->started);
	o->worker_of = tw__arena_alloc(&o->arena, (size_t)n, sizeof *o->worker_of);
	for (tw_task t = 0; t < n; t++) {
		starts[t] = (struct start){-1, t};
		o->worker_of[t] = -1;
	}
	int status = is_table ? take_table(o, starts, err) : take_boxes(o, starts, err);
	if (status < 0)
		return status;
	qsort(starts, (size_t)n, sizeof *starts, by_date_then_task);
	for (tw_task i = 0; i < n; i++)
		if (starts[i].date >= 0)
			o->started[o->n_started++] = starts[i].task;
	if (o->n_started == 0)
		return tw_fail(err, TW_INVALID, "%s: no tasks: expected at least one", o->request->trace);
	if (o->n_started < n)
		tw_log(TW_LOG_WARNING, "%s: %d of %d tasks of workload '%.100s' are missing", o->request->trace,
		       (int)(n - o->n_started), (int)n, o->workload);
	return TW_OK;
}

static int choose_iterations(struct tw__order *o, struct tw_error *err)
{
	const struct tw__trace_request *r = o->request;
	int n = r->n_iterations, there = o->tiles.iterations;
	if (n == 0)
		n = there < DEFAULT_ITERATIONS ? there : DEFAULT_ITERATIONS;
	o->columns = tw__arena_alloc(&o->arena, (size_t)n, sizeof *o->columns);
	for (int i = 0; i < n; i++) {
		int k = r->n_iterations ? r->iterations[i] : i;
		if (k < 0 || k >= there)
			return tw_fail(err, TW_INVALID,
			               "plot order: iteration %d: expected one from 0 to %d, as workload '%.100s' has",
			               k, there - 1, o->workload);
		o->columns[o->n_columns++] = k;
	}
	return TW_OK;
}

static int choose_workers(struct tw__order *o, bool is_table, struct tw_error *err)
{
	const struct tw__trace_request *r = o->request;
	if (r->n_workers == 0)
		return TW_OK;
	if (is_table)
		return tw_fail(err, TW_INVALID,
		               "plot order: workers of '%s': expected another trace than a table of tasks for them",
		               r->trace);
	o->rows = tw__arena_alloc(&o->arena, (size_t)o->trace.platform->n_workers, sizeof *o->rows);
	o->n_rows = tw__choose_workers(o->rows, o->trace.platform, r->workers, r->n_workers, "order", r->trace, err);
	return o->n_rows < 0 ? o->n_rows : TW_OK;
}

/* Chooses the number of tasks for each colour. Default: the smallest of 1, 2, 5, 10, 20, 50 ... that gives at most
 * seven colours. */
static int choose_colours(struct tw__order *o, struct tw_error *err)
{
	static const int steps[] = {1, 2, 5};
	int n = o->n_started, power = 1;
	o->per_colour = o->request->per_colour;
	for (int i = 0; !o->per_colour; i++) {
		if (steps[i % 3] * power >= (n + 6) / 7)
			o->per_colour = steps[i % 3] * power;
		power *= i % 3 == 2 ? 10 : 1;
	}
	o->n_colours = (n + o->per_colour - 1) / o->per_colour;
	if (o->n_colours > MAX_COLOURS)
		return tw_fail(err, TW_INVALID, "plot order: --per-colour %d: expected %d or more, for %d tasks",
		               o->per_colour, (n + MAX_COLOURS - 1) / MAX_COLOURS, n);
	return TW_OK;
}

static int find_out(struct tw__order *o, struct tw_error *err)
{
	const struct tw__trace_request *r = o->request;
	bool is_table = !strcmp(tw__ending_of(r->trace), ".csv");
	int status = is_table ? TW_OK : tw__past_open_whole(&o->past, r->trace, err);
	if (status == TW_OK && !is_table)
		tw__past_schedule(&o->trace, &o->past);
	o->workload = r->workload ? r->workload : o->trace.workload;
	if (status == TW_OK && !o->workload)
		return tw_fail(err, TW_INVALID,
		               "%s: the trace does not name its workload: expected --workload, as in --workload "
		               "cholesky:nt=20",
		               r->trace);
	if (status == TW_OK)
		status = tw__tiles_init(&o->tiles, o->workload, err);
	if (status == TW_OK)
		status = find_order(o, is_table, err);
	if (status == TW_OK)
		status = choose_iterations(o, err);
	if (status == TW_OK)
		status = choose_workers(o, is_table, err);
	return status < 0 ? status : choose_colours(o, err);
}

int tw__plot_order(const struct tw__trace_request *request, struct tw_error *err)
{
	struct tw__order o = {.request = request};
	int status = find_out(&o, err);
	if (status == TW_OK)
		status = tw__draw(&tw__gnuplot, request->output, request->keep_script, tw__order_draw, &o, err);
	tw__schedule_finish(&o.trace);
	tw__past_close(&o.past);
	tw__tiles_finish(&o.tiles);
	tw__arena_finish(&o.arena);
	return status;
}
