/* The measures of a graph that need no platform. igraph has no longest paths of acyclic graphs. Here one pass finds
 * them, since the order of submission is topological. */
#include "describe/describe.h"

#include <math.h>
#include <stdlib.h>

#include "base/module.h"

/* --- tasks by kernel, accesses by mode, bytes and flops ----------------------------------------------------------- */

const enum tw_mode tw__described_modes[TW__N_MODES] = {TW_R, TW_W, TW_RW, TW_SCRATCH, TW_REDUX};

static void count_access(struct tw__description *d, tw__access access, bool *seen, double *task_bytes)
{
	const struct tw_graph *g = d->graph;
	enum tw_mode mode = tw__access_mode(access);
	tw_data data = tw__access_data(access), root = tw__graph_root(g, data);
	double bytes = (double)g->data_bytes[data];
	int i = 0;
	while (tw__described_modes[i] != mode)
		i++;
	d->accesses[i]++;
	*task_bytes += bytes;
	if (mode == TW_SCRATCH)
		return;
	d->access_bytes += bytes;
	if (!seen[root])
		d->working_set_bytes += (double)g->data_bytes[root];
	seen[root] = true;
}

static void describe_counts(struct tw__description *d)
{
	const struct tw_graph *g = d->graph;
	bool *seen = tw_alloc((size_t)g->n_data, sizeof *seen);
	d->kernel_tasks = tw_alloc((size_t)g->n_kernels, sizeof *d->kernel_tasks);
	for (tw_data h = 0; h < g->n_data; h++)
		d->handle_bytes += tw__graph_root(g, h) == h ? (double)g->data_bytes[h] : 0;
	for (tw_data h = 0; h < g->n_lineages; h++)
		d->n_divided += g->lineages[h].n_parts > 0;
	for (tw_data h = 0; h < g->n_lineages; h++)
		d->n_parts += g->lineages[h].parent != TW_NONE;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		double bytes = 0;
		d->kernel_tasks[g->kernel[t]]++;
		d->recorded_s += g->seconds ? g->seconds[t] : NAN;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			count_access(d, g->access[a], seen, &bytes);
		if (bytes > d->largest_task_bytes)
			d->largest_task_bytes = bytes;
	}
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		d->task_flops += d->kernel_tasks[k] * g->kernels[k].flops;
	free(seen);
}

/* A handle is live from its first task to its last one, in the order of submission. Its parts count as the whole. */
static void describe_live(struct tw__description *d)
{
	const struct tw_graph *g = d->graph;
	const uint32_t n = g->access_start[g->n_tasks];
	uint32_t *last = tw_alloc((size_t)g->n_data, sizeof *last); /* 1 + its last access */
	double live = 0;
	for (uint32_t a = 0; a < n; a++)
		last[tw__graph_root(g, tw__access_data(g->access[a]))] = a + 1;
	bool *is_live = tw_alloc((size_t)g->n_data, sizeof *is_live);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			tw_data data = tw__graph_root(g, tw__access_data(g->access[a]));
			if (!is_live[data] && tw__data_use(g, data) != TW__USE_SCRATCH)
				live += (double)g->data_bytes[data];
			is_live[data] = true;
		}
		d->peak_live_bytes = fmax(d->peak_live_bytes, live);
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			tw_data data = tw__graph_root(g, tw__access_data(g->access[a]));
			if (last[data] == a + 1 && tw__data_use(g, data) != TW__USE_SCRATCH)
				live -= (double)g->data_bytes[data];
		}
	}
	free(last);
	free(is_live);
}

/* --- longest chains: in tasks, which gives levels, in flops, and in recorded seconds ------------------------------ */

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

static void describe_levels(struct tw__description *d, struct tw__dependencies deps)
{
	struct chain *chain = tw_alloc((size_t)d->graph->n_tasks, sizeof *chain);
	d->n_dependencies = deps.n;
	find_chains(d, deps, chain);
	d->level_tasks = tw_alloc((size_t)d->depth, sizeof *d->level_tasks);
	for (tw_task t = 0; t < d->graph->n_tasks; t++) {
		tw_task tasks = ++d->level_tasks[chain[t].tasks - 1];
		d->level_width = tasks > d->level_width ? tasks : d->level_width;
	}
	free(chain);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

int tw__describe(struct tw__description *d, const struct tw_graph *g, bool exact, struct tw_error *err)
{
	*d = (struct tw__description){.graph = g, .n_transitive = TW__NOT_COMPUTED, .antichain = TW__NOT_COMPUTED};
	const struct tw__measures *module =
		tw__module_open(TW__MEASURES_BUILT, "tw__measures", "measures of graphs", err);
	if (!module)
		return TW_INVALID;
	size_t n;
	struct tw__edge *edges = tw__graph_dependencies(&n, g);
	const struct tw__dependencies deps = {edges, n};
	exact = exact || (double)g->n_tasks * ((double)g->n_tasks + (double)n) <= TW__MOST_STEPS;
	describe_counts(d);
	describe_live(d);
	describe_levels(d, deps);
	if (exact)
		tw__describe_transitive(d, deps);
	int status = module->describe(d, deps, exact, err);
	free(edges);
	return status;
}

void tw__description_finish(struct tw__description *d)
{
	free(d->kernel_tasks);
	free(d->level_tasks);
	free(d->in.n_tasks);
	free(d->out.n_tasks);
	*d = (struct tw__description){0};
}
