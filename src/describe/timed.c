/* Critical paths and parallelism with a platform's kernel times, and transfers over its links. */
#include "describe/timed.h"

#include <math.h>
#include <stdlib.h>

/* --- archs -------------------------------------------------------------------------------------------------------- */

/* `ns` and `levels` have room for all tasks. */
static void describe_arch(struct tw__on_arch *on, const struct tw_graph *g, const struct tw__times *times, double *ns,
                          double *levels)
{
	double work = 0;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		bool can = tw__task_can_run(times, g, t, on->arch);
		ns[t] = can ? (double)tw__task_length(times, g, t, on->arch) : 0;
		on->n_without_time += !can;
		work += ns[t];
	}
	on->work_s = on->n_without_time ? NAN : work / TW__NS_PER_S;
	on->critical_path_s = on->n_without_time ? NAN : tw__graph_bottom_levels(g, ns, levels) / TW__NS_PER_S;
}

static void describe_archs(struct tw__timed *d, const struct tw_graph *g, const struct tw__times *times,
                           const struct tw__platform *p)
{
	double *ns = tw_alloc((size_t)g->n_tasks, sizeof *ns);
	double *levels = tw_alloc((size_t)g->n_tasks, sizeof *levels);
	d->on = tw_alloc((size_t)p->n_archs, sizeof *d->on);
	for (tw_arch a = 0; a < p->n_archs; a++)
		if (tw__has_worker(p, a)) {
			d->on[d->n_archs].arch = a;
			describe_arch(&d->on[d->n_archs++], g, times, ns, levels);
		}
	free(ns);
	free(levels);
}

/* --- parallelism -------------------------------------------------------------------------------------------------- */

/* start[t], end[t]: dates in nanoseconds, each task on its fastest arch. */
static void find_dates(struct tw__timed *d, const struct tw_graph *g, struct tw__dependencies deps, double *start,
                       double *end)
{
	size_t i = 0;
	double last = 0, work = 0;
	for (tw_task t = 0; t < g->n_tasks; t++) { /* end[t] still holds the time that the task takes */
		start[t] = 0;
		for (; i < deps.n && deps.edges[i].to == t; i++)
			start[t] = fmax(start[t], end[deps.edges[i].from]);
		work += end[t];
		end[t] += start[t];
		last = fmax(last, end[t]);
	}
	d->critical_path_s = last / TW__NS_PER_S;
	d->work_s = work / TW__NS_PER_S;
}

/* Adds the task that runs from `start` to `end`, in units of bins. `change` collects what begins behind each bin. */
static void add_to_bins(struct tw__timed *d, double *change, double start, double end)
{
	int first = (int)fmin(start, TW__PARALLELISM_BINS - 1), last = (int)fmin(end, TW__PARALLELISM_BINS - 1);
	if (first == last) {
		d->running[first] += end - start;
		return;
	}
	d->running[first] += first + 1 - start;
	d->running[last] += end - last;
	change[first + 1]++;
	change[last]--;
}

static void fill_bins(struct tw__timed *d, tw_task n, const double *start, const double *end)
{
	double change[TW__PARALLELISM_BINS + 1] = {0}, whole = 0;
	double bin = d->critical_path_s * TW__NS_PER_S / TW__PARALLELISM_BINS;
	for (tw_task t = 0; t < n && bin > 0; t++)
		add_to_bins(d, change, start[t] / bin, end[t] / bin);
	for (int b = 0; b < TW__PARALLELISM_BINS; b++) {
		whole += change[b];
		d->running[b] += whole;
	}
}

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

/* Sorts both arrays. A task that ends at a date makes room for one that starts then. */
static tw_task most_running(tw_task n, double *start, double *end)
{
	tw_task most = 0, ended = 0;
	qsort(start, (size_t)n, sizeof *start, compare);
	qsort(end, (size_t)n, sizeof *end, compare);
	for (tw_task started = 0; started < n; started++) {
		while (end[ended] <= start[started])
			ended++;
		most = started + 1 - ended > most ? started + 1 - ended : most;
	}
	return most;
}

static void describe_parallelism(struct tw__timed *d, const struct tw_graph *g, const struct tw__times *times,
                                 const struct tw__platform *p)
{
	size_t n;
	struct tw__edge *edges = tw__graph_dependencies(&n, g);
	double *start = tw_alloc((size_t)g->n_tasks, sizeof *start);
	double *end = tw_alloc((size_t)g->n_tasks, sizeof *end);
	tw__times_best(times, p, g, end);
	find_dates(d, g, (struct tw__dependencies){edges, n}, start, end);
	fill_bins(d, g->n_tasks, start, end);
	d->most_running = most_running(g->n_tasks, start, end);
	free(edges);
	free(start);
	free(end);
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

/* Means over the memories, other than main memory, where workers compute and which a route reaches. */
struct route_means {
	int n;
	double latency_s, s_per_byte;
};

static struct route_means measure_routes(const struct tw__platform *p)
{
	struct route_means means = {0};
	for (tw_node node = TW_RAM + 1; node < p->n_nodes; node++) {
		const struct tw__route *route = tw__route_of(p, TW_RAM, node);
		bool computes = false;
		for (tw_worker w = 0; w < p->n_workers && !computes; w++)
			computes = p->workers[w].node == node;
		if (!computes || route->n_links == 0)
			continue;
		means.n++;
		means.latency_s += route->latency;
		means.s_per_byte += 1 / route->bandwidth;
	}
	if (means.n > 0) {
		means.latency_s /= means.n;
		means.s_per_byte /= means.n;
	}
	return means;
}

static void describe_transfers(struct tw__timed *d, const struct tw_graph *g, const struct tw__platform *p)
{
	struct route_means means = measure_routes(p);
	bool *seen = tw_alloc((size_t)g->n_data, sizeof *seen);
	d->read_transfer_s = d->handle_transfer_s = means.n > 0 ? 0 : NAN;
	for (uint32_t a = 0; a < g->access_start[g->n_tasks]; a++) {
		tw_data data = tw__access_data(g->access[a]);
		double seconds = means.latency_s + (double)g->data_bytes[data] * means.s_per_byte;
		if (!(g->access[a] & TW_R))
			continue;
		d->read_transfer_s += seconds;
		if (!seen[data])
			d->handle_transfer_s += seconds;
		seen[data] = true;
	}
	free(seen);
}

/* ------------------------------------------------------------------------------------------------------------------ */

void tw__describe_timed(struct tw__timed *d, const struct tw_graph *g, const struct tw__times *times,
                        const struct tw__platform *p)
{
	*d = (struct tw__timed){0};
	describe_archs(d, g, times, p);
	describe_transfers(d, g, p);
	describe_parallelism(d, g, times, p);
}

void tw__timed_finish(struct tw__timed *d)
{
	free(d->on);
	*d = (struct tw__timed){0};
}
