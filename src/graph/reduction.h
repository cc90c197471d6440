/* Reductions (TW_REDUX): which accesses belong to which reduction (phase), and the copy of a graph to which a run
 * appends combining tasks.
 *
 * Each worker that contributes to a handle has an accumulator for it. Accumulators are handles numbered after the
 * graph's own handles. When the last contributor of a reduction has ended, its accumulators are combined two by two.
 * The last accumulator is combined with the handle itself. */
#ifndef TW__REDUCTION_H
#define TW__REDUCTION_H

#include "graph/graph.h"

/* Returns the number of the first contribution from that access on. `access`: an index in tw_graph.access. */
uint32_t tw__graph_first_contribution(const struct tw_graph *, uint32_t access);
/* Returns the reduction to which an access with TW_REDUX belongs. `access`: its index in tw_graph.access. */
int32_t tw__graph_phase_of(const struct tw_graph *, uint32_t access);

/* Returns a copy of the graph with room for every task that reductions may append on `n_workers` workers. The copy
 * shares arrays that do not grow with the original, which must outlive the copy. Of a graph with ranks, only workers of
 * its own rank contribute to a handle: rank_of[n_workers] has their ranks. */
struct tw_graph *tw__graph_extend_ranks(const struct tw_graph *, int n_workers, const int *rank_of);
static inline struct tw_graph *tw__graph_extend(const struct tw_graph *g, int n_workers) /* for one without ranks */
{
	return tw__graph_extend_ranks(g, n_workers, NULL);
}
void tw__graph_unextend(struct tw_graph *); /* frees an extended copy, for tw_graph_destroy */
/* Frees those arrays of a graph that an extended copy does not share. */
void tw__graph_free_arrays(struct tw_graph *);

tw_task tw__graph_own_tasks(const struct tw_graph *); /* number of tasks; appended tasks do not count */
tw_task tw__graph_max_tasks(const struct tw_graph *); /* number of tasks, with all that reductions may append */
int32_t tw__graph_appended_for(const struct tw_graph *, tw_task); /* the reduction of an appended task */
tw_data tw__graph_own_data(const struct tw_graph *);              /* number of handles; accumulators do not count */

/* Returns the accumulator of a worker for a handle that tasks access with TW_REDUX. Only for extended graphs. With
 * ranks, both have the same one. */
tw_data tw__graph_accumulator(const struct tw_graph *, tw_data, tw_worker);
/* Finds the handle and the worker of an accumulator. Returns false if the handle `accumulator` is none. */
bool tw__graph_is_accumulator(const struct tw_graph *, tw_data accumulator, tw_data *of, tw_worker *worker);

/* Appends the tasks that combine `n` >= 1 accumulators with the handle of the reduction. The last of these tasks gets
 * the successors of the reduction. Returns the first of the n tasks. */
tw_task tw__graph_append_reduction(struct tw_graph *, int32_t phase, const tw_data *accumulators, int n);

/* Finds what an earlier tw__graph_append_reduction combined, from its first task. Fills used[n_workers], ascending, and
 * returns their number. *next: the task behind its last one. */
int tw__graph_appended(const struct tw_graph *, tw_task first, tw_data *used, tw_task *next);

/* Fills *kernels[n_data], which the caller frees: the kernel that combines each handle's accumulators, or TW_NONE.
 * TW_FAILED: a handle has two such kernels, one after the other. */
int tw__graph_combiners(tw_kernel **kernels, const struct tw_graph *, struct tw_error *err);

#endif
