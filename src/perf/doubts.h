/* Reasons to doubt a result: kernel times that were extrapolated, rows of kernels.csv with a caution, and workers
 * without times. */
#ifndef TW__DOUBTS_H
#define TW__DOUBTS_H

#include "perf/models.h"

/* Returns the part of the graph's work in kernels whose time was extrapolated, from 0 to 1. The models themselves
 * extrapolate (tw__models_extrapolate), or rows of kernels.csv have that origin. The work of a task is its time on the
 * arch that runs it fastest. 0: the graph has no work. */
double tw__extrapolated_share(const struct tw__times *, const struct tw__models *, const struct tw__platform *,
                              const struct tw_graph *);

/* Warns of times that the models extrapolated, and of rows that the graph's kernels use whose note begins with
 * "caution: ". `workload`: the graph's name. */
void tw__tell_doubts(const struct tw__times *, const struct tw__models *, const struct tw__platform *,
                     const struct tw_graph *, const char *workload);
/* Warns if tasks of the graph have seconds on archs by name, and the platform has none of these. `all`: the platform
 * with all its archs. */
void tw__tell_unknown_archs(const struct tw__platform *all, const struct tw_graph *, const char *workload);
/* Warns of workers that can run no kernel of the graph. They are harmless, but may be a mistake in kernels.csv.
 * `all`: the platform with all its archs. */
void tw__tell_idle(const struct tw__times *, const struct tw__platform *all, const struct tw__platform *,
                   const struct tw_graph *, const char *workload);

#endif
