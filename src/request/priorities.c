/* Priorities of tasks by the parameter `priority`, which every workload has. */
#include <stdlib.h>

#include "graph/parts.h"
#include "request/workload.h"

/* Tasks of one graph, whose priorities have one origin. */
struct ranked {
	tw_task first, end;
	enum tw__priorities by;
};

/* Sets each task's priority to its bottom level, in nanoseconds. If the longest path exceeds an int32, the unit is the
 * smallest power of ten nanoseconds with which all levels fit. */
static void rank_by_levels(struct tw_graph *g, const struct ranked *tasks, const double *levels)
{
	double unit = 1, longest = 0;
	for (tw_task t = tasks->first; t < tasks->end; t++)
		longest = levels[t] > longest ? levels[t] : longest;
	while (longest / unit > INT32_MAX)
		unit *= 10;
	for (tw_task t = tasks->first; t < tasks->end; t++)
		tw_graph_set_priority(g, t, (int32_t)(levels[t] / unit));
}

static void rank(struct tw_graph *g, const struct ranked *tasks, const double *levels)
{
	if (tasks->by == TW__PRIORITIES_BOTTOM_LEVEL)
		rank_by_levels(g, tasks, levels);
	else if (tasks->by != TW__PRIORITIES_WORKLOAD)
		for (tw_task t = tasks->first; t < tasks->end; t++)
			tw_graph_set_priority(g, t, tasks->by == TW__PRIORITIES_SUBMISSION ? tasks->end - t : 0);
}

static double *bottom_levels(const struct tw_graph *g, const struct tw__times *times,
                             const struct tw__platform *platform)
{
	double *best = tw_resize(NULL, (size_t)g->n_tasks, sizeof *best);
	double *levels = tw_resize(NULL, (size_t)g->n_tasks, sizeof *levels);
	tw__times_best(times, platform, g, best);
	tw__graph_bottom_levels(g, best, levels);
	free(best);
	return levels;
}

/* Whether all priorities are those of the workload. Then threads may share the graph, and nothing is to be done. */
static bool are_set(const struct tw_graph *g)
{
	for (int i = 0; i < g->n_parts; i++)
		if (g->parts[i].priorities != TW__PRIORITIES_WORKLOAD)
			return false;
	return g->priorities == TW__PRIORITIES_WORKLOAD;
}

void tw__prioritise(struct tw_graph *g, const struct tw__times *times, const struct tw__platform *platform)
{
	struct ranked of[TW__MOST_PARTS] = {{0, g->n_tasks, g->priorities}};
	double *levels = NULL;
	if (are_set(g))
		return;
	/* Once for a graph, which other scenes may use, and whose priorities the program may then change. */
	g->priorities = TW__PRIORITIES_WORKLOAD;
	for (int i = 0; i < g->n_parts; i++) {
		of[i] = (struct ranked){g->parts[i].first, tw__graph_part_end(g, i), g->parts[i].priorities};
		g->parts[i].priorities = TW__PRIORITIES_WORKLOAD;
	}
	for (int i = 0; i < tw__graph_n_parts(g); i++) {
		if (of[i].by == TW__PRIORITIES_BOTTOM_LEVEL && !levels)
			levels = bottom_levels(g, times, platform);
		rank(g, &of[i], levels);
	}
	free(levels);
}
