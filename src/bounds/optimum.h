/* The makespan of an optimal schedule of a small graph on one node, and such a schedule. docs/reference/optimum.md
 * defines the problem. Tasks run without interruption. Data are read where they arrive first, on links without
 * contention, in memories without bounds. So no run with the same kernel times is shorter. */
#ifndef TW__OPTIMUM_H
#define TW__OPTIMUM_H

#include "bounds/bounds.h"

/* Tasks that a graph may have, and the longest time in ns that all its tasks may take together, at their slowest, with
 * all transfers. */
enum { TW__OPTIMUM_MAX_TASKS = 64 };
#define TW__OPTIMUM_MOST_NS (INT64_C(1) << 46)

struct tw__optimum {
	tw__ns makespan, bound; /* the shortest makespan found, and a proven lower bound; equal: it is the optimum */
	uint64_t nodes;         /* partial schedules that the search looked at */
	/* [tasks] the schedule with that makespan */
	struct tw__optimum_task {
		tw_worker worker;
		tw__ns start, end;
	} tasks[TW__OPTIMUM_MAX_TASKS];
};

/* The search ends when the optimum is proven, or after `limit_s` seconds; 0: no limit. Without the limit, the result
 * depends on the arguments alone. TW_INVALID: the graph or the platform is not of this kind; err begins with
 * `workload`. */
int tw__optimum(const struct tw__bounded *, const char *workload, double limit_s, struct tw__optimum *,
                struct tw_error *err);

#endif
