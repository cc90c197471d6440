/* Reductions (TW_REDUX): which accesses belong to which phase, and the copy of a graph that a run extends with
 * combining tasks.
 *
 * Each worker that contributes to a handle has an accumulator for it. Accumulators are handles numbered after the
 * graph's own. When the last contributor of a phase has ended, its accumulators are combined two by two. The last one
 * is combined with the handle itself. */
#ifndef TW__REDUCTION_H
#define TW__REDUCTION_H

#include "graph/graph.h"

/* The phase of the access at that index of graph->access. */
int32_t tw__graph_phase_of(const struct tw_graph *, uint32_t access);

/* A copy of the graph with room for every task that its reductions may append on `n_workers` workers. NULL: out of
 * memory. Arrays that do not grow are shared with the original, which must outlive the copy. */
struct tw_graph *tw__graph_extend(const struct tw_graph *, int n_workers);
void tw__graph_unextend(struct tw_graph *); /* called by tw_graph_destroy */
/* Frees the arrays that a graph and its extended copy do not share. */
void tw__graph_free_arrays(struct tw_graph *);

tw_task tw__graph_own_tasks(const struct tw_graph *);             /* without appended tasks */
tw_task tw__graph_max_tasks(const struct tw_graph *);             /* with every task that may be appended */
int32_t tw__graph_appended_for(const struct tw_graph *, tw_task); /* the phase of an appended task */
tw_data tw__graph_own_data(const struct tw_graph *);              /* without accumulators */

/* The accumulator of a worker for a handle that is accessed with TW_REDUX. Extended graphs only. */
tw_data tw__graph_accumulator(const struct tw_graph *, tw_data, tw_worker);
/* Finds the handle and the worker of an accumulator; false: it is no accumulator. */
bool tw__graph_is_accumulator(const struct tw_graph *, tw_data accumulator, tw_data *of, tw_worker *worker);

/* Appends the tasks that combine `n` >= 1 accumulators and the phase's handle. The last of them gets the phase's
 * successors. Returns the first of the n tasks. */
tw_task tw__graph_append_reduction(struct tw_graph *, int32_t phase, const tw_data *accumulators, int n);

#endif
