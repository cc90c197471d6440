/* A small graph on a platform, for the mixed integer program of milp.c: its tasks, archs and dependencies. */
#ifndef TW__BOUNDS_SMALL_H
#define TW__BOUNDS_SMALL_H

#include "bounds/bounds.h"

/* A set of tasks is a bit set: bit t is for task t. */
struct tw__small {
	int n_tasks, n_archs;            /* n_archs: number of archs that have workers */
	int workers[TW__MILP_MAX_ARCHS]; /* [n_archs] number of workers of each arch */
	/* duration of each task on each arch; INFINITY: it cannot run */
	double seconds[TW__MILP_MAX_TASKS][TW__MILP_MAX_ARCHS];
	double least[TW__MILP_MAX_TASKS];    /* duration of each task on its fastest arch, in s */
	uint64_t direct[TW__MILP_MAX_TASKS]; /* the direct successors of each task */
	uint64_t behind[TW__MILP_MAX_TASKS]; /* all direct and indirect successors of each task */
	/* the longest path before each task in s, with all tasks on their fastest archs */
	double head[TW__MILP_MAX_TASKS];
	/* the longest path after each task in s, with all tasks on their fastest archs */
	double tail[TW__MILP_MAX_TASKS];
	double schedule_s; /* the makespan of a list schedule, where each task ends as early as possible */
};

/* Fills the struct. The graph must have at most TW__MILP_MAX_TASKS tasks, and the platform at most TW__MILP_MAX_ARCHS
 * archs with workers. */
void tw__small_init(struct tw__small *, const struct tw__bounded *);

/* Whether neither of the tasks i and j waits for the other, directly or indirectly. */
static inline bool tw__small_independent(const struct tw__small *s, int i, int j)
{
	return i != j && !(s->behind[i] >> j & 1) && !(s->behind[j] >> i & 1);
}

#endif
