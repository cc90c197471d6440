/* A small graph on a platform, as the program with dependencies (milp.c) sees it: tasks, archs, and who is behind whom. */
#ifndef TW__BOUNDS_SMALL_H
#define TW__BOUNDS_SMALL_H

#include "bounds/bounds.h"

/* Sets of tasks are bits. */
struct tw__small {
	int n_tasks, n_archs;                                   /* archs that have workers */
	int workers[TW__MILP_MAX_ARCHS];                        /* [n_archs] */
	double seconds[TW__MILP_MAX_TASKS][TW__MILP_MAX_ARCHS]; /* INFINITY: it cannot run there */
	double least[TW__MILP_MAX_TASKS];                       /* where it is fastest */
	uint64_t direct[TW__MILP_MAX_TASKS];                    /* direct successors */
	uint64_t behind[TW__MILP_MAX_TASKS];                    /* all that come later by dependencies */
	double head[TW__MILP_MAX_TASKS]; /* the longest chain before it, each task where it is fastest */
	double tail[TW__MILP_MAX_TASKS]; /* the same behind it */
	double schedule_s; /* the makespan of a schedule there is: the first that is ready where it ends first */
};

/* The graph has at most TW__MILP_MAX_TASKS, the platform at most TW__MILP_MAX_ARCHS with workers. */
void tw__small_init(struct tw__small *, const struct tw__bounded *);

/* Neither waits for the other. */
static inline bool tw__small_independent(const struct tw__small *s, int i, int j)
{
	return i != j && !(s->behind[i] >> j & 1) && !(s->behind[j] >> i & 1);
}

#endif
