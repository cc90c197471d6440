/* Capacities of memories. Checks before a run whether the data of every task fit into each memory where the task may
 * run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/spec.h"
#include "runtime/room/sets.h"

void tw__run_capacities(const struct tw_platform *p, const struct tw__runtime_params *params, uint64_t *capacity)
{
	for (int n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		if (node->limit_bytes)
			capacity[n] = node->limit_bytes;
		else if (node->memory_bytes)
			capacity[n] = (uint64_t)(params->memory_fraction * (double)node->memory_bytes);
		else
			capacity[n] = UINT64_MAX;
	}
}

/* Only memories of accelerators have chunks: their backing memory is main memory. */
uint64_t tw__run_chunk_bytes(const struct tw_platform *p, const struct tw__runtime_params *params, tw_node n)
{
	return n != TW_RAM && p->nodes[n].backing == TW_RAM ? params->chunk_bytes : 0;
}

tw_node tw__run_home(const struct tw_platform *p, const uint64_t *capacity)
{
	tw_node home = TW_RAM;
	while (capacity[home] != UINT64_MAX && p->nodes[home].backing != TW_NONE)
		home = p->nodes[home].backing;
	return home;
}

enum { SIZE_TEXT = 32 };

/* A set that is too large for a memory. */
struct misfit {
	struct set set;
	const char *what; /* "task"; NULL: all fits */
	int number;       /* of it */
	tw_kernel kernel;
	const struct tw__worker *worker;
};

/* The demands of all that may run, on each worker. */
struct demand {
	const struct tw__run_input *in;
	const uint64_t *capacity;
	struct unlike unlike;
	uint64_t *of_worker; /* [n_workers] the smallest capacity of its memory that will do; unbounded memories: 0 */
	struct misfit first; /* in the order of workers */
};

/* Looks at one set on a worker. `what` and `number` name its owner: "task", 3. */
static int add_set(struct demand *d, const struct set *set, const char *what, int number, tw_kernel kernel, tw_worker w)
{
	const struct tw__worker *worker = &d->in->platform->workers[w];
	uint64_t least, chunk = tw__run_chunk_bytes(d->in->platform, d->in->params, worker->node);
	int status = tw__set_room(set, chunk, d->in->params->chunk_data_bytes, &least);
	if (least > d->of_worker[w])
		d->of_worker[w] = least;
	if (least > d->capacity[worker->node] && !d->first.what)
		d->first = (struct misfit){*set, what, number, kernel, worker};
	return status;
}

/* Looks at all that may run on the worker. */
static int add_worker(struct demand *d, tw_worker w)
{
	const struct tw__run_input *in = d->in;
	const struct tw_graph *g = in->graph;
	tw_arch arch = in->platform->workers[w].arch;
	int status = TW_OK;
	for (size_t i = 0; i < d->unlike.n && status == TW_OK; i++) {
		tw_task t = d->unlike.tasks[i];
		if (isnan(tw__task_seconds(in->belief, g, t, arch)))
			continue;
		struct set set = tw__set_of_task(in, t, in->platform->workers[w].node);
		status = add_set(d, &set, "task", (int)t, g->kernel[t], w);
	}
	for (int32_t p = 0; p < g->n_phases && status == TW_OK; p++) {
		tw_kernel combine = g->phases[p].combine;
		if (isnan(in->belief->mean[combine * in->belief->n_archs + arch]))
			continue;
		struct set set = tw__set_of_reduction(in, p);
		status = add_set(d, &set, "combining accumulators of data", (int)g->phases[p].data, combine, w);
	}
	return status;
}

/* Checks the number of accumulators: each worker may need one for each handle of a reduction. */
static int check_accumulators(const struct tw__run_input *in, struct tw_error *err)
{
	int64_t reduced = 0, n_data = in->graph->n_data, n_workers = in->platform->n_workers;
	for (tw_data d = 0; in->graph->n_phases && d < in->graph->n_data; d++)
		reduced += tw__data_use(in->graph, d) == TW__USE_REDUX;
	if (n_data + reduced * n_workers <= TW__MAX_DATA)
		return TW_OK;
	return tw_fail(
		err, TW_INVALID,
		"reductions of %lld data on %d workers: up to %lld accumulators beside %d data, expected at most "
		"%d in all",
		(long long)reduced, (int)n_workers, (long long)(reduced * n_workers), (int)n_data, TW__MAX_DATA);
}

/* Whether every task that fits into one worker's memory also fits into the other's, because arch and memory are
 * alike. */
static bool hold_alike(const struct tw__run_input *in, const struct tw__worker *v, const struct tw__worker *w,
                       const uint64_t *capacity)
{
	if (v->arch != w->arch)
		return false;
	if (v->node == w->node)
		return true;
	return !in->graph->data_uses && /* scratch handles take room for each worker of a memory */
	       capacity[v->node] == capacity[w->node] &&
	       tw__run_chunk_bytes(in->platform, in->params, v->node) ==
	               tw__run_chunk_bytes(in->platform, in->params, w->node);
}

static void demand_finish(struct demand *d)
{
	tw__unlike_finish(&d->unlike);
	free(d->of_worker);
}

static int demand_init(struct demand *d, const struct tw__run_input *in, const uint64_t *capacity, struct tw_error *err)
{
	const struct tw_platform *p = in->platform;
	*d = (struct demand){.in = in, .capacity = capacity};
	d->of_worker = calloc((size_t)p->n_workers + 1, sizeof *d->of_worker);
	int status = tw__unlike_init(&d->unlike, in) || !d->of_worker ? TW_NOMEM : TW_OK;
	for (tw_worker w = 0; w < p->n_workers && status == TW_OK; w++) {
		tw_worker v = 0;
		if (capacity[p->workers[w].node] == UINT64_MAX)
			continue;
		while (v < w && !hold_alike(in, &p->workers[v], &p->workers[w], capacity))
			v++;
		if (v < w)
			d->of_worker[w] = d->of_worker[v];
		else
			status = add_worker(d, w);
	}
	if (status == TW_OK)
		return TW_OK;
	demand_finish(d);
	return tw_fail(err, TW_NOMEM, "out of memory for a run of %d tasks", (int)in->graph->n_tasks);
}

static uint64_t demand_of_node(const struct demand *d, tw_node n)
{
	uint64_t least = 0;
	for (tw_worker w = 0; w < d->in->platform->n_workers; w++)
		if (d->in->platform->workers[w].node == n && d->of_worker[w] > least)
			least = d->of_worker[w];
	return least;
}

/* The message about the first misfit. */
static int refuse(const struct demand *d, struct tw_error *err)
{
	const struct tw__run_input *in = d->in;
	const struct misfit *m = &d->first;
	tw_node n = m->worker->node;
	uint64_t chunk = tw__run_chunk_bytes(in->platform, in->params, n);
	const uint64_t least = demand_of_node(d, n), usable = d->capacity[n];
	char whole[160] = "", needed_text[SIZE_TEXT], usable_text[SIZE_TEXT], least_text[SIZE_TEXT];
	if (chunk)
		snprintf(whole, sizeof whole, " in whole chunks (chunk_bytes) of %s, which data of up to %s share",
		         tw__size_text(needed_text, SIZE_TEXT, chunk),
		         tw__size_text(usable_text, SIZE_TEXT, in->params->chunk_data_bytes));
	return tw_fail(err, TW_INVALID,
	               "%s %d (%s) needs %s for its %d data, memory '%s' of worker '%s' has %s usable%s: "
	               "expected at least %s",
	               m->what, m->number, tw_graph_kernel_name(in->graph, m->kernel),
	               tw__size_beside(needed_text, SIZE_TEXT, m->set.sum, usable), m->set.n,
	               in->platform->nodes[n].name, m->worker->name,
	               tw__size_beside(usable_text, SIZE_TEXT, usable, least), whole,
	               tw__size_beside(least_text, SIZE_TEXT, least, usable));
}

int tw__run_least_capacities(const struct tw__run_input *in, const uint64_t *capacity, uint64_t *least,
                             struct tw_error *err)
{
	struct demand d;
	int status = demand_init(&d, in, capacity, err);
	if (status < 0)
		return status;
	for (tw_node n = 0; n < in->platform->n_nodes; n++)
		least[n] = demand_of_node(&d, n);
	demand_finish(&d);
	return TW_OK;
}

int tw__run_check_fit(const struct tw__run_input *in, const uint64_t *capacity, struct tw_error *err)
{
	const struct tw_platform *p = in->platform;
	if (in->eviction->flags & TW_NEEDS_PLAN && !in->policy->planned_use)
		return tw_fail(err, TW_INVALID,
		               "eviction '%s': policy '%.60s' plans nothing ahead, expected one that does",
		               in->eviction->name, in->policy->name);
	if (in->fits)
		return TW_OK;
	if (tw__run_home(p, capacity) == TW_RAM && capacity[TW_RAM] != UINT64_MAX) {
		uint64_t sum = 0;
		for (tw_data d = 0; d < in->graph->n_data; d++)
			sum += in->graph->data_bytes[d];
		char bound[SIZE_TEXT], needed[SIZE_TEXT];
		return tw_fail(err, TW_INVALID,
		               "main memory '%s' is bounded to %s and has no backing memory: expected a platform with "
		               "a disk (the workload has %s)",
		               p->nodes[TW_RAM].name, tw__size_beside(bound, SIZE_TEXT, capacity[TW_RAM], sum),
		               tw__size_beside(needed, SIZE_TEXT, sum, capacity[TW_RAM]));
	}
	struct demand d;
	int status = check_accumulators(in, err);
	if (status == TW_OK)
		status = demand_init(&d, in, capacity, err);
	if (status < 0)
		return status;
	if (d.first.what)
		status = refuse(&d, err);
	demand_finish(&d);
	return status;
}
