/* Small task graphs that a search changes step by step. Each task has a time on each arch, and each dependency a handle
 * of its own, which its first task writes and its second task reads. Dependencies go from tasks of lower numbers to
 * tasks of higher ones, so no change makes a cycle. */
#ifndef TW__INSTANCE_H
#define TW__INSTANCE_H

#include <tilewright/graph.h>

#include "base/random.h"

enum { TW__INSTANCE_LEAST_TASKS = 2, TW__INSTANCE_MOST_TASKS = 64, TW__INSTANCE_MOST_ARCHS = 64 };

/* The limits of all numbers. */
struct tw__instance_range {
	int n_tasks, n_archs;
	const char *archs[TW__INSTANCE_MOST_ARCHS]; /* names */
	double longest_s;                           /* the longest time of a task */
	uint64_t most_bytes;                        /* the largest size of a handle */
};

struct tw__instance {
	double seconds[TW__INSTANCE_MOST_TASKS][TW__INSTANCE_MOST_ARCHS];
	/* Bytes of the handle from a task to a later one; 0: no dependency. */
	uint64_t bytes[TW__INSTANCE_MOST_TASKS][TW__INSTANCE_MOST_TASKS];
};

/* Draws times and sizes at random. A chain: each task depends on the one before it. Otherwise tasks are in layers, and
 * depend on tasks of the layer before. */
void tw__instance_draw(struct tw__instance *, const struct tw__instance_range *, bool is_chain, struct tw__random *);
/* Makes one change at random. False: the graph has nothing that this kind of change could change. */
bool tw__instance_change(struct tw__instance *, const struct tw__instance_range *, struct tw__random *);
/* Makes the task graph, which the caller destroys. Priorities are ranks of bottom levels, with mean times. */
int tw__instance_graph(struct tw_graph **, const struct tw__instance *, const struct tw__instance_range *,
                       struct tw_error *err);

#endif
