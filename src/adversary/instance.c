/* The changes are those of PISA (Coleman, Krishnamachari: Comparing Task Graph Scheduling Algorithms: An Adversarial
 * Approach, 2024), as the public program SAGA makes them. A dependency comes or goes. Or a weight changes by up to a
 * tenth of the greatest weight: that of a dependency, a task, a node or a link of the network.
 *
 * Two things differ here. The platform is given, so a node's weight is a factor of all times on an arch, and a link's
 * weight one of all sizes. And each task has a time of its own on each arch, so no arch is faster for all tasks. */
#include "adversary/instance.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* The least time and the least size, as parts of the greatest ones; and how far one change goes. */
static const double least_part = 0.01, step_part = 0.1;

static double between(struct tw__random *random, double low, double high)
{
	return low + (high - low) * tw__random_uniform(random);
}

static double within(double value, double most)
{
	const double least = least_part * most;
	return value < least ? least : value > most ? most : value;
}

/* Whole nanoseconds, as runs have them. */
static double time_of(const struct tw__instance_range *range, double seconds)
{
	return (double)(int64_t)(within(seconds, range->longest_s) * 1e9 + 0.5) / 1e9;
}

static uint64_t size_of(const struct tw__instance_range *range, double bytes)
{
	const uint64_t size = (uint64_t)within(bytes, (double)range->most_bytes);
	return size ? size : 1;
}

static double draw_time(const struct tw__instance_range *range, struct tw__random *random)
{
	return time_of(range, between(random, 0, range->longest_s));
}

static uint64_t draw_size(const struct tw__instance_range *range, struct tw__random *random)
{
	return size_of(range, between(random, 0, (double)range->most_bytes));
}

/* --- graphs to start from ----------------------------------------------------------------------------------------- */

static void draw_layers(struct tw__instance *in, const struct tw__instance_range *range, struct tw__random *random)
{
	int layer[TW__INSTANCE_MOST_TASKS] = {0};
	for (int t = 1; t < range->n_tasks; t++)
		layer[t] = layer[t - 1] + (int)tw__random_below(random, 2);
	for (int t = 1; t < range->n_tasks; t++)
		for (int before = 0; before < t; before++)
			if (layer[before] == layer[t] - 1 && tw__random_below(random, 2))
				in->bytes[before][t] = draw_size(range, random);
}

void tw__instance_draw(struct tw__instance *in, const struct tw__instance_range *range, bool is_chain,
                       struct tw__random *random)
{
	*in = (struct tw__instance){0};
	for (int t = 0; t < range->n_tasks; t++)
		for (int a = 0; a < range->n_archs; a++)
			in->seconds[t][a] = draw_time(range, random);
	for (int t = 1; is_chain && t < range->n_tasks; t++)
		in->bytes[t - 1][t] = draw_size(range, random);
	if (!is_chain)
		draw_layers(in, range, random);
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* Chooses one of the pairs of tasks with a dependency, or of those without. NULL: there is none. */
static uint64_t *choose_pair(struct tw__instance *in, const struct tw__instance_range *range, bool depends,
                             struct tw__random *random)
{
	uint64_t *pairs[TW__INSTANCE_MOST_TASKS * TW__INSTANCE_MOST_TASKS / 2];
	uint32_t n = 0;
	for (int t = 1; t < range->n_tasks; t++)
		for (int before = 0; before < t; before++)
			if ((in->bytes[before][t] > 0) == depends)
				pairs[n++] = &in->bytes[before][t];
	return n ? pairs[tw__random_below(random, n)] : NULL;
}

static bool change_dependency(struct tw__instance *in, const struct tw__instance_range *range, bool removes,
                              struct tw__random *random)
{
	uint64_t *pair = choose_pair(in, range, removes, random);
	if (pair)
		*pair = removes ? 0 : draw_size(range, random);
	return pair;
}

static bool change_size(struct tw__instance *in, const struct tw__instance_range *range, struct tw__random *random)
{
	uint64_t *pair = choose_pair(in, range, true, random);
	const double step = step_part * (double)range->most_bytes;
	if (pair)
		*pair = size_of(range, (double)*pair + between(random, -step, step));
	return pair;
}

static bool change_time(struct tw__instance *in, const struct tw__instance_range *range, struct tw__random *random)
{
	double *seconds = &in->seconds[tw__random_below(random, (uint32_t)range->n_tasks)]
	                              [tw__random_below(random, (uint32_t)range->n_archs)];
	const double step = step_part * range->longest_s;
	*seconds = time_of(range, *seconds + between(random, -step, step));
	return true;
}

static bool change_arch(struct tw__instance *in, const struct tw__instance_range *range, struct tw__random *random)
{
	const uint32_t a = tw__random_below(random, (uint32_t)range->n_archs);
	const double factor = 1 + between(random, -step_part, step_part);
	for (int t = 0; t < range->n_tasks; t++)
		in->seconds[t][a] = time_of(range, factor * in->seconds[t][a]);
	return true;
}

static bool change_sizes(struct tw__instance *in, const struct tw__instance_range *range, struct tw__random *random)
{
	const double factor = 1 + between(random, -step_part, step_part);
	bool any = false;
	for (int t = 1; t < range->n_tasks; t++)
		for (int before = 0; before < t; before++)
			if (in->bytes[before][t]) {
				in->bytes[before][t] = size_of(range, factor * (double)in->bytes[before][t]);
				any = true;
			}
	return any;
}

bool tw__instance_change(struct tw__instance *in, const struct tw__instance_range *range, struct tw__random *random)
{
	enum { REMOVE, ADD, SIZE, TIME, ARCH, SIZES, N_CHANGES };
	switch (tw__random_below(random, N_CHANGES)) {
	case REMOVE:
		return change_dependency(in, range, true, random);
	case ADD:
		return change_dependency(in, range, false, random);
	case SIZE:
		return change_size(in, range, random);
	case TIME:
		return change_time(in, range, random);
	case ARCH:
		return change_arch(in, range, random);
	default:
		return change_sizes(in, range, random);
	}
}

/* --- task graphs -------------------------------------------------------------------------------------------------- */

/* Appends task t, of a kernel of its own: policies such as heteroprio look at kernels. `handles`: those of pairs. */
static void submit(struct tw_graph *graph, const struct tw__instance *in, const struct tw__instance_range *range, int t,
                   tw_data (*handles)[TW__INSTANCE_MOST_TASKS])
{
	struct tw_access accesses[TW__INSTANCE_MOST_TASKS];
	char name[16];
	int n = 0;
	for (int before = 0; before < t; before++)
		if (in->bytes[before][t])
			accesses[n++] = (struct tw_access){handles[before][t], TW_R};
	for (int after = t + 1; after < range->n_tasks; after++)
		if (in->bytes[t][after]) {
			handles[t][after] = tw_graph_data(graph, in->bytes[t][after]);
			accesses[n++] = (struct tw_access){handles[t][after], TW_W};
		}
	snprintf(name, sizeof name, "task%d", t);
	tw_graph_submit(graph, tw_graph_kernel(graph, name, "1", "b", 0), 0, accesses, n);
	for (int a = 0; a < range->n_archs; a++)
		tw_graph_set_seconds_on(graph, range->archs[a], in->seconds[t][a]);
}

/* Sets each task's priority to the number of tasks with lower bottom levels. Kernels have the tasks' numbers. */
static void prioritise(struct tw_graph *graph, const struct tw__instance *in, const struct tw__instance_range *range)
{
	double mean[TW__INSTANCE_MOST_TASKS] = {0}, levels[TW__INSTANCE_MOST_TASKS];
	for (int t = 0; t < range->n_tasks; t++)
		for (int a = 0; a < range->n_archs; a++)
			mean[t] += in->seconds[t][a] / range->n_archs;
	tw_graph_bottom_levels(graph, mean, levels);
	for (int t = 0; t < range->n_tasks; t++) {
		int32_t rank = 0;
		for (int other = 0; other < range->n_tasks; other++)
			rank += levels[other] < levels[t];
		tw_graph_set_priority(graph, t, rank);
	}
}

int tw__instance_graph(struct tw_graph **out, const struct tw__instance *in, const struct tw__instance_range *range,
                       struct tw_error *err)
{
	tw_data handles[TW__INSTANCE_MOST_TASKS][TW__INSTANCE_MOST_TASKS];
	struct tw_graph *graph = tw_graph_create();
	for (int t = 0; t < range->n_tasks; t++)
		submit(graph, in, range, t, handles);
	int status = tw_graph_finish(graph, err);
	if (status == TW_OK)
		prioritise(graph, in, range);
	else
		tw_graph_destroy(graph);
	*out = status == TW_OK ? graph : NULL;
	return status;
}
