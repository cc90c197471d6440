#include "explain/elsewhere.h"

#include <math.h>
#include <stdlib.h>

#include "graph/graph.h"

/* --- times without a task ----------------------------------------------------------------------------------------- */

/* The time for which a worker had a task: from its assignment until its thread had handled the end. */
struct busy {
	tw_worker worker;
	tw__ns start, end;
};

static int compare(const void *x, const void *y)
{
	const struct busy *a = x, *b = y;
	if (a->worker != b->worker)
		return a->worker < b->worker ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static struct busy busy_time(const struct tw__past_run *r, tw__ns makespan)
{
	tw__ns assign = r->assign >= 0 ? tw__earliest(r->assign, r->start) : r->start;
	tw__ns end = r->release >= 0 ? r->release : r->end >= 0 ? r->end : makespan;
	return (struct busy){r->worker, assign, tw__latest(end, assign)};
}

/* Lists the gaps between sorted busy times. */
static void list_gaps(struct tw__elsewhere *o, const struct busy *busy, size_t n_busy, int n_workers, tw__ns makespan)
{
	size_t n = 0, i = 0;
	for (tw_worker w = 0; w < n_workers; w++) {
		tw__ns free_from = 0;
		o->first[w] = n;
		for (; i < n_busy && busy[i].worker == w; i++) {
			if (busy[i].start > free_from)
				o->times[n++] = (struct tw__free_time){free_from, busy[i].start};
			free_from = tw__latest(free_from, busy[i].end);
		}
		if (free_from < makespan)
			o->times[n++] = (struct tw__free_time){free_from, makespan};
	}
	o->first[n_workers] = n;
}

void tw__elsewhere_init(struct tw__elsewhere *o, const struct tw__explained_run *run,
                        const struct tw__past_items *items)
{
	size_t n_runs = (size_t)items->n_runs, n_workers = (size_t)run->platform->n_workers;
	struct busy *busy = tw_alloc(n_runs, sizeof *busy);
	*o = (struct tw__elsewhere){
		.run = run,
		.items = items,
		.times = tw_alloc(n_runs + n_workers, sizeof *o->times),
		.first = tw_alloc(n_workers + 1, sizeof *o->first),
	};
	for (size_t i = 0; i < n_runs; i++)
		busy[i] = busy_time(&items->runs[i], run->record->makespan);
	qsort(busy, n_runs, sizeof *busy, compare);
	list_gaps(o, busy, n_runs, (int)n_workers, run->record->makespan);
	free(busy);
}

void tw__elsewhere_finish(struct tw__elsewhere *o)
{
	free(o->times);
	free(o->first);
}

/* The first date in [from, until) at which the worker is free for a task of that length; TW__NEVER: none. */
static tw__ns first_free(const struct tw__elsewhere *o, tw_worker w, tw__ns from, tw__ns until, tw__ns length)
{
	size_t low = o->first[w], high = o->first[w + 1];
	while (low < high) { /* the first gap that ends after `from` */
		size_t middle = low + (high - low) / 2;
		if (o->times[middle].end <= from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < o->first[w + 1] && o->times[low].start < until; low++) {
		tw__ns date = tw__latest(from, tw__later(o->times[low].start, o->run->patience));
		if (date < until && tw__later(date, length) <= o->times[low].end)
			return date;
	}
	return TW__NEVER;
}

/* --- times of tasks ----------------------------------------------------------------------------------------------- */

/* How long the handles that the task reads take from main memory, one after the other. */
static double transfer_seconds(const struct tw__explained_run *run, const struct tw_graph *g, tw_task t, tw_node to)
{
	double seconds = 0;
	const struct tw__route *route = tw__route_of(run->platform, TW_RAM, to);
	if (to == TW_RAM || route->n_links == 0)
		return 0;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (tw__access_mode(g->access[a]) & TW_R)
			seconds += route->latency +
			           (double)g->data_bytes[tw__access_data(g->access[a])] / route->bandwidth;
	return seconds;
}

/* How long the run's task would take on another worker, if times there deviate from the model as its own did;
 * TW__NEVER: it cannot run there. */
static tw__ns length_on(const struct tw__elsewhere *o, const struct tw__past_run *r, tw_worker w)
{
	const struct tw__explained_run *run = o->run;
	const struct tw__worker *other = &run->platform->workers[w];
	if (w == r->worker || r->task >= run->graph->n_tasks) /* nothing is known about tasks of reductions */
		return TW__NEVER;
	if (!tw__task_can_run(run->times, run->graph, r->task, other->arch))
		return TW__NEVER;
	double seconds = tw__task_run_seconds(run->times, run->graph, r->task, other->arch);
	double own = tw__task_run_seconds(run->times, run->graph, r->task, run->platform->workers[r->worker].arch);
	if (own > 0 && isfinite(own)) /* NAN or INFINITY: a damaged trace, where the task could not run */
		seconds *= tw__seconds(r->end - r->start) / own;
	if (other->node != run->platform->workers[r->worker].node)
		seconds += transfer_seconds(run, run->graph, r->task, other->node);
	return tw__ns_of(seconds);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

tw__ns tw__elsewhere_from(const struct tw__elsewhere *o, const struct tw__past_run *r, tw__ns from, tw__ns until)
{
	for (tw_worker w = 0; w < o->run->platform->n_workers && from < until; w++) {
		tw__ns length = length_on(o, r, w);
		if (length <= r->end - r->start)
			until = tw__earliest(until, first_free(o, w, from, until, length));
	}
	return tw__latest(from, until);
}

tw__ns tw__elsewhere_gain(const struct tw__elsewhere *o, const struct tw__past_run *r)
{
	tw__ns best = r->end;
	for (tw_worker w = 0; w < o->run->platform->n_workers; w++) {
		tw__ns length = length_on(o, r, w);
		if (length >= r->end - r->start)
			continue;
		tw__ns date = first_free(o, w, r->start, best - length, length);
		if (date != TW__NEVER)
			best = date + length;
	}
	return tw__latest(0, r->end - best);
}
