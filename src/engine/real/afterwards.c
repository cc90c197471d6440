/* After a run: the replay of timed mode, and the check of the results. The family's own check knows the mathematics. A
 * comparison of each handle with a serial run of the same kernels finds errors that a residual hides: a stale tile
 * changes a diagonally dominant matrix only little. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/real/office.h"
#include "graph/reduction.h"

/* --- the log of timed mode ---------------------------------------------------------------------------------------- */

/* Runs all logged jobs one after the other, in an order in which they may have ended. This gives the results that the
 * run would have computed. */
int tw__real_replay(struct tw__engine *e, struct tw_error *err)
{
	void *workspace = tw__aligned_room(e->family->workspace_bytes);
	int code = 0;
	const struct tw__job *job = e->logged.first;
	for (; job && !code; job = code ? job : job->next) {
		const struct tw_call call =
			tw__family_call(e->family, e->seed, job->task, workspace, job->operands, job->n_operands);
		if (job->is_copy) {
			memcpy(job->target, job->source, job->bytes);
			continue;
		}
		tw__watched_step(e, tw__watched_kernel_s(e, job->task), "kernel '%s' of task %d", job->codelet->kernel,
		                 (int)job->task);
		code = job->codelet->run(&call);
	}
	free(workspace);
	return code ? tw_fail(err, TW_FAILED, "engine 'real': kernel '%s' of task %d returned %d", job->codelet->kernel,
	                      (int)job->task, code)
	            : TW_OK;
}

/* --- the check of results ----------------------------------------------------------------------------------------- */

/* The results of the program, which may be those of several processes. */
struct results {
	const struct tw_graph *graph;
	uint64_t *place; /* [own handles + 1] offset of each, if they stand one after the other */
	char *gathered;  /* NULL: all are this process's */
	void **at;       /* [own handles] address of each */
};

static char *make_room(const struct tw__engine *e, const struct results *r)
{
	const uint64_t bytes = r->place[tw__graph_own_data(r->graph)];
	char *room = tw__aligned_room(bytes);
	memset(room, e->poisons ? 0xff : 0, bytes); /* kernels' fill leaves out what kernels write */
	return room;
}

static struct results results_of(struct tw__engine *e)
{
	struct results r = {.graph = tw__program_graph(e)};
	const size_t n = (size_t)tw__graph_own_data(r.graph);
	r.place = tw_alloc(n + 1, sizeof *r.place);
	r.at = tw_alloc(n, sizeof *r.at);
	for (size_t d = 0; d < n; d++)
		r.place[d + 1] = r.place[d] + tw__spaces_rounded(r.graph->data_bytes[d]);
	for (size_t d = 0; d < n && !e->processes; d++)
		r.at[d] = tw__spaces_home(&e->spaces, (tw_data)d);
	if (e->processes && e->processes->number == 0)
		r.gathered = make_room(e, &r);
	if (e->processes)
		tw__gather(e, r.at, r.gathered, r.place);
	return r;
}

static void finish_results(struct results *r)
{
	free(r->place);
	free(r->gathered);
	free(r->at);
}

/* --- against a serial run --------------------------------------------------------------------------------------- */

/* Returns the precision of the graph's handles: all have that of its kernels. */
static char precision_of(const struct tw_graph *g) { return g->n_kernels ? g->kernels[0].precision[0] : 'b'; }

static double element(const void *at, uint64_t i, char precision)
{
	return precision == 's' ? ((const float *)at)[i] : ((const double *)at)[i];
}

/* Returns the greatest difference between elements of a and b, relative to the greatest element of b; NAN counts as
 * INFINITY. */
static double difference(const void *a, const void *b, uint64_t bytes, char precision)
{
	uint64_t n = bytes / (precision == 's' ? 4 : 8);
	double most = 0, scale = 0;
	for (uint64_t i = 0; i < n; i++) {
		double x = element(a, i, precision), y = element(b, i, precision), apart = fabs(x - y);
		if (isnan(x) && isnan(y))
			continue; /* both are NaN, as memory that no kernel has written */
		if (!(apart <= most))
			most = isnan(apart) ? INFINITY : apart;
		if (fabs(y) > scale)
			scale = fabs(y);
	}
	return most > 0 ? most / scale : 0;
}

/* Returns the allowed difference. Groups of cores and reductions sum in another order, so results differ by
 * rounding. */
static double tolerance(char precision) { return precision == 's' ? 1e-4 : precision == 'd' ? 1e-12 : 0; }

static int compare(const struct tw_graph *g, void *const *got, void *const *right, struct tw_error *err)
{
	char precision = precision_of(g);
	for (tw_data d = 0; d < tw__graph_own_data(g); d++) {
		uint64_t bytes = g->data_bytes[d];
		if (tw__data_use(g, d) == TW__USE_SCRATCH || tw__data_use(g, d) == TW__USE_DISCARDED ||
		    memcmp(got[d], right[d], bytes) == 0)
			continue;
		double apart = precision == 'b' ? 1 : difference(got[d], right[d], bytes, precision);
		if (!(apart <= tolerance(precision)))
			return tw_fail(err, TW_FAILED,
			               "engine 'real': data %d is not what a serial run of the same kernels gives: "
			               "the difference is %.3g of its greatest element",
			               (int)d, apart);
	}
	return TW_OK;
}

static void tell_task(void *engine, tw_task t)
{
	struct tw__engine *e = engine;
	const struct tw_graph *g = tw__program_graph(e);
	tw__watched_step(e, tw__watched_kernel_s(e, t), "task %d (%s) of a serial run", (int)t,
	                 g->kernels[g->kernel[t]].name);
}

static int check_against_serial(struct tw__engine *e, const struct results *got, struct tw_error *err)
{
	const struct tw_graph *g = got->graph;
	char *base = make_room(e, got);
	void **right = tw_alloc((size_t)tw__graph_own_data(g), sizeof *right);
	for (tw_data d = 0; d < tw__graph_own_data(g); d++)
		right[d] = base + got->place[d];
	tw__watched_step(e, TW__FAMILY_PATIENCE * tw__watch_patience(e), "the initial content of data");
	for (tw_data d = 0; d < tw__graph_own_data(g); d++)
		if (tw__data_use(g, d) != TW__USE_SCRATCH)
			e->family->kernels->fill(e->family->shape, e->seed, d, right[d], g->data_bytes[d]);
	int status = tw__serial_run(g, e->family, e->seed, right, tell_task, e, err);
	tw__watched_step(e, TW__FAMILY_PATIENCE * tw__watch_patience(e), "the comparison with a serial run");
	if (status == TW_OK)
		status = compare(g, got->at, right, err);
	free(right);
	free(base);
	return status;
}

/* --- all checks, and the report ----------------------------------------------------------------------------------- */

static double off_cpu(const struct tw__engine *e)
{
	double wall_s = 0, cpu_s = 0;
	for (tw_worker w = 0; w < e->platform->n_workers; w++)
		if (e->workers[w])
			tw__worker_thread_times(e->workers[w], &wall_s, &cpu_s);
	return wall_s > 0 ? fmax(0, 1 - cpu_s / wall_s) : NAN;
}

static int check(struct tw__engine *e, struct tw_error *err)
{
	tw__watched_step(e, TW__FAMILY_PATIENCE * tw__watch_patience(e), "the check of the results");
	struct results r = results_of(e);
	/* If handles are discarded, the result is incomplete: what is left of it is compared with a serial run. */
	const bool checks = !e->processes || e->processes->number == 0, whole = !tw__graph_discards(r.graph);
	int status = TW_OK;
	e->residual = NAN;
	if (checks && whole)
		status = e->family->kernels->check(e->family->shape, e->seed, r.at, &e->residual, err);
	if (status == TW_OK && checks && (!whole || e->config.check == TW__CHECK_FULL))
		status = check_against_serial(e, &r, err);
	finish_results(&r);
	return status;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Returns a time that a tenth of the calls do not exceed: other programs only make calls longer. */
static double usual_s(struct tw__device_calls *c)
{
	qsort(c->took_s, (size_t)c->n, sizeof *c->took_s, by_value);
	return c->n ? c->took_s[c->n / 10] : NAN;
}

int tw__real_finish(struct tw__engine *e, struct tw__engine_report *report, struct tw_error *err)
{
	report->turn_s = e->turn_s;
	report->launch_s = usual_s(&e->launches);
	report->issue_s = usual_s(&e->issues);
	report->off_cpu = off_cpu(e);
	int status = e->office ? tw__office_settle(e, err) : TW_OK;
	if (status < 0 || !e->has_numbers || e->config.check == TW__CHECK_NONE)
		return status;
	status = tw__watched_work(e, check, err);
	if (!e->hangs)
		report->residual = e->residual;
	return status;
}
