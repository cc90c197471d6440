/* Longest chains: in tasks, which gives levels, in flops, and in recorded seconds. igraph has no longest paths of
 * acyclic graphs. Here one pass finds them, since the order of submission is topological. */
#include <math.h>
#include <stdlib.h>

#include "describe/describe.h"

/* The longest chains that end with a task, with it. */
struct chain {
	tw_task tasks;
	double flops, seconds; /* recorded seconds */
};

static void find_chains(struct tw__description *d, struct tw__dependencies deps, struct chain *chain)
{
	const struct tw_graph *g = d->graph;
	size_t i = 0;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		struct chain c = {0};
		for (; i < deps.n && deps.edges[i].to == t; i++) {
			const struct chain *before = &chain[deps.edges[i].from];
			c.tasks = before->tasks > c.tasks ? before->tasks : c.tasks;
			c.flops = fmax(c.flops, before->flops);
			c.seconds = fmax(c.seconds, before->seconds);
		}
		c.tasks++;
		c.flops += g->kernels[g->kernel[t]].flops;
		c.seconds += g->seconds ? g->seconds[t] : NAN;
		d->depth = c.tasks > d->depth ? c.tasks : d->depth;
		d->critical_flops = fmax(d->critical_flops, c.flops);
		d->critical_recorded_s = fmax(d->critical_recorded_s, c.seconds);
		chain[t] = c;
	}
	if (isnan(d->recorded_s))
		d->critical_recorded_s = NAN;
}

static bool count_levels(struct tw__description *d, const struct chain *chain)
{
	d->level_tasks = calloc((size_t)d->depth + 1, sizeof *d->level_tasks);
	for (tw_task t = 0; d->level_tasks && t < d->graph->n_tasks; t++) {
		tw_task tasks = ++d->level_tasks[chain[t].tasks - 1];
		d->level_width = tasks > d->level_width ? tasks : d->level_width;
	}
	return d->level_tasks != NULL;
}

int tw__describe_levels(struct tw__description *d, struct tw__dependencies deps, struct tw_error *err)
{
	size_t tasks = (size_t)d->graph->n_tasks;
	struct chain *chain = malloc((tasks + 1) * sizeof *chain);
	bool enough = chain;
	d->n_dependencies = deps.n;
	if (enough) {
		find_chains(d, deps, chain);
		enough = count_levels(d, chain);
	}
	free(chain);
	return enough ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory for the levels of %d tasks", (int)tasks);
}
