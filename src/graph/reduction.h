/* Reductions (TW_REDUX): which accesses belong together, and the copy of a graph that a run extends by the tasks that
 * combine accumulators.
 *
 * Each worker that contributes to a data has an accumulator for it: a data behind the graph's own. When the last contributor
 * of a phase has ended, the accumulators that were used are combined, two by two, and the last with the data itself. */
#ifndef TW__REDUCTION_H
#define TW__REDUCTION_H

#include "graph/graph.h"

/* The phase that the access at that index of graph->access contributes to. */
int32_t tw__graph_phase_of(const struct tw_graph *, uint32_t access);

/* A copy with room for all that its reductions may append on so many workers; NULL: out of memory. It shares what does not
 * grow with the original, which must outlive it. */
struct tw_graph *tw__graph_extend(const struct tw_graph *, int n_workers);
void tw__graph_unextend(struct tw_graph *); /* tw_graph_destroy does it */
/* Frees the arrays that both a graph and such a copy have of their own. */
void tw__graph_free_arrays(struct tw_graph *);

tw_task tw__graph_own_tasks(const struct tw_graph *);             /* without those appended */
tw_task tw__graph_max_tasks(const struct tw_graph *);             /* with all that can be */
int32_t tw__graph_appended_for(const struct tw_graph *, tw_task); /* the phase that an appended task belongs to */
tw_data tw__graph_own_data(const struct tw_graph *);              /* without accumulators */

/* The accumulator of a worker for a data that is accessed with TW_REDUX. Only of an extended graph. */
tw_data tw__graph_accumulator(const struct tw_graph *, tw_data, tw_worker);
/* The data and worker it is for; false: it is no accumulator. */
bool tw__graph_is_accumulator(const struct tw_graph *, tw_data accumulator, tw_data *of, tw_worker *worker);

/* Appends the tasks that combine `n` >= 1 accumulators and the phase's data, and what waits for the phase as successors
 * of the last. Returns the first; their number is n. */
tw_task tw__graph_append_reduction(struct tw_graph *, int32_t phase, const tw_data *accumulators, int n);

#endif
