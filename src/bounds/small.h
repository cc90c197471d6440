/* A small graph on a platform, for the program with dependencies (milp.c): tasks, archs and dependencies. */
#ifndef TW__BOUNDS_SMALL_H
#define TW__BOUNDS_SMALL_H

#include "bounds/bounds.h"

/* Sets of tasks are bit sets. */
struct tw__small {
	int n_tasks, n_archs;                                   /* archs that have workers */
	int workers[TW__MILP_MAX_ARCHS];                        /* [n_archs] */
	double seconds[TW__MILP_MAX_TASKS][TW__MILP_MAX_ARCHS]; /* INFINITY: it cannot run there */
	double least[TW__MILP_MAX_TASKS];                       /* on its fastest arch */
	uint64_t direct[TW__MILP_MAX_TASKS];                    /* direct successors */
	uint64_t behind[TW__MILP_MAX_TASKS];                    /* all direct and indirect successors */
	double head[TW__MILP_MAX_TASKS]; /* the longest chain before it, with each task on its fastest arch */
	double tail[TW__MILP_MAX_TASKS]; /* the same after it */
	double schedule_s;               /* the makespan of a list schedule that gives each task the earliest end */
};

/* The graph must have at most TW__MILP_MAX_TASKS tasks, the platform at most TW__MILP_MAX_ARCHS archs with workers. */
void tw__small_init(struct tw__small *, const struct tw__bounded *);

/* Whether neither task waits for the other. */
static inline bool tw__small_independent(const struct tw__small *s, int i, int j)
{
	return i != j && !(s->behind[i] >> j & 1) && !(s->behind[j] >> i & 1);
}

#endif
