#include "explain/free_times.h"

#include <math.h>
#include <stdlib.h>

#include "graph/graph.h"

/* The time for which a worker had a task: from its assignment until its thread had handled the end. */
struct busy {
	tw__ns start, end;
};

static int by_start(const void *x, const void *y)
{
	const struct busy *a = x, *b = y;
	return a->start < b->start ? -1 : a->start > b->start;
}

static struct busy busy_time(const struct tw__past_run *r, tw__ns makespan)
{
	tw__ns assign = r->assign >= 0 ? tw__earliest(r->assign, r->start) : r->start;
	tw__ns end = r->release >= 0 ? r->release : r->end >= 0 ? r->end : makespan;
	return (struct busy){assign, tw__latest(end, assign)};
}

/* Sorts the times of a worker, which mostly are in order. */
static void sort_busy(struct busy *busy, size_t n)
{
	size_t in_order = 1;
	while (in_order < n && busy[in_order - 1].start <= busy[in_order].start)
		in_order++;
	if (in_order < n)
		qsort(busy, n, sizeof *busy, by_start);
}

/* Lists the times of a worker between those at which it had a task; returns the place behind them. */
static struct tw__free_time *add_free_times(struct tw__free_time *to, const struct busy *busy, size_t n,
                                            tw__ns makespan)
{
	tw__ns free_from = 0;
	for (size_t i = 0; i < n; i++) {
		if (busy[i].start > free_from)
			*to++ = (struct tw__free_time){free_from, busy[i].start};
		free_from = tw__latest(free_from, busy[i].end);
	}
	if (free_from < makespan)
		*to++ = (struct tw__free_time){free_from, makespan};
	return to;
}

void tw__free_times_init(struct tw__free_times *f, const struct tw__explained_run *run,
                         const struct tw__past_items *items, tw__ns makespan)
{
	const struct tw__past_run *runs = items->runs;
	size_t n_runs = items->n_runs, n_workers = (size_t)run->platform->n_workers;
	struct busy *busy = tw_resize(NULL, n_runs, sizeof *busy);
	*f = (struct tw__free_times){.run = run};
	struct tw__free_time *to = f->times = tw_resize(NULL, n_runs + n_workers, sizeof *f->times);
	size_t *behind = tw_alloc(n_workers + 1, sizeof *behind), n = 0; /* of the times of each worker in `busy` */
	f->first = tw_alloc(n_workers + 1, sizeof *f->first);
	for (size_t r = 0; r < n_runs; r++)
		behind[runs[r].worker + 1]++;
	for (size_t worker = 1; worker < n_workers; worker++)
		behind[worker] += behind[worker - 1];
	for (size_t r = 0; r < n_runs; r++)
		busy[behind[runs[r].worker]++] = busy_time(&runs[r], makespan);
	for (size_t worker = 0; worker < n_workers; n = behind[worker++]) {
		sort_busy(busy + n, behind[worker] - n);
		to = add_free_times(to, busy + n, behind[worker] - n, makespan);
		f->first[worker + 1] = (size_t)(to - f->times);
	}
	free(behind);
	free(busy);
}

void tw__free_times_finish(struct tw__free_times *f)
{
	free(f->times);
	free(f->first);
}

/* The first date in [from, until) at which the worker is free for a task of that length; TW__NEVER: none. */
static tw__ns first_free(const struct tw__free_times *f, tw_worker worker, tw__ns from, tw__ns until, tw__ns length)
{
	size_t low = f->first[worker], high = f->first[worker + 1];
	while (low < high) { /* the first gap that ends after `from` */
		size_t middle = low + (high - low) / 2;
		if (f->times[middle].end <= from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < f->first[worker + 1] && f->times[low].start < until; low++) {
		tw__ns date = tw__latest(from, tw__later(f->times[low].start, f->run->patience));
		if (date < until && tw__later(date, length) <= f->times[low].end)
			return date;
	}
	return TW__NEVER;
}

/* How long the handles that the task reads take from main memory, one after the other. */
static double transfer_seconds(const struct tw__explained_run *run, const struct tw_graph *g, tw_task t, tw_node to)
{
	double seconds = 0;
	const struct tw__node *nodes = run->platform->nodes;
	const struct tw__route *route = tw__route_of(run->platform, TW_RAM, to);
	if (to == TW_RAM || route->n_links == 0 || nodes[to].rank != nodes[TW_RAM].rank)
		return 0;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (tw__access_mode(g->access[a]) & TW_R)
			seconds += route->latency +
			           (double)g->data_bytes[tw__access_data(g->access[a])] / route->bandwidth;
	return seconds;
}

/* How long the run's task would take on another worker, if times there deviate from the model as its own did;
 * TW__NEVER: it cannot run there. */
static tw__ns length_on(const struct tw__free_times *f, const struct tw__past_run *r, tw_worker worker)
{
	const struct tw__explained_run *run = f->run;
	const struct tw__worker *other = &run->platform->workers[worker];
	if (worker == r->worker || r->task >= run->graph->n_tasks) /* nothing is known about tasks of reductions */
		return TW__NEVER;
	if (!tw__task_can_run(run->times, run->graph, r->task, other->arch) ||
	    !tw__domain_allows(&run->domains, run->graph, r->task, worker))
		return TW__NEVER;
	double seconds = tw__task_run_seconds(run->times, run->graph, r->task, other->arch);
	double own = tw__task_run_seconds(run->times, run->graph, r->task, run->platform->workers[r->worker].arch);
	if (own > 0 && isfinite(own)) /* NAN or INFINITY: a damaged trace, where the task could not run */
		seconds *= tw__seconds(r->end - r->start) / own;
	if (other->node != run->platform->workers[r->worker].node)
		seconds += transfer_seconds(run, run->graph, r->task, other->node);
	return tw__ns_of(seconds);
}

tw__ns tw__free_elsewhere(const struct tw__free_times *f, const struct tw__past_run *r, tw__ns from, tw__ns until)
{
	for (tw_worker other = 0; other < f->run->platform->n_workers && from < until; other++) {
		tw__ns length = length_on(f, r, other);
		if (length <= r->end - r->start)
			until = tw__earliest(until, first_free(f, other, from, until, length));
	}
	return tw__latest(from, until);
}

tw__ns tw__gain_elsewhere(const struct tw__free_times *f, const struct tw__past_run *r)
{
	tw__ns best = r->end;
	for (tw_worker other = 0; other < f->run->platform->n_workers; other++) {
		tw__ns length = length_on(f, r, other);
		if (length >= r->end - r->start)
			continue;
		tw__ns date = first_free(f, other, r->start, best - length, length);
		if (date != TW__NEVER)
			best = date + length;
	}
	return tw__latest(0, r->end - best);
}
