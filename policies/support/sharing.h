/* The tasks that share data, as if tasks were independent. Orders for locality are made from this relation. A task
 * shares the handles that it reads or writes, since both need room. Scratch is not shared.
 *
 * Two tasks share the bytes of their common handles. With handles of equal size this is their number, as in the
 * papers. */
#ifndef TILEWRIGHT_SHARING_H
#define TILEWRIGHT_SHARING_H

#include <tilewright/graph.h>

struct tw_sharing {
	tw_task n_tasks;
	tw_data n_data;
	size_t *first_data; /* handles of task t: data[first_data[t]] .. data[first_data[t + 1] - 1], ascending */
	tw_data *data;
	size_t *first_task; /* tasks of handle d: tasks[first_task[d]] .. tasks[first_task[d + 1] - 1], ascending */
	tw_task *tasks;
	uint64_t *bytes; /* [handles] */
};

/* For all tasks of a complete graph, by their accesses that have one of these modes (enum tw_mode). TW_SHARED: all
 * modes that share data. TW_NOMEM: nothing is left allocated. */
#define TW_SHARED (TW_RW | TW_REDUX)
int tw_sharing_init(struct tw_sharing *, const struct tw_graph *, unsigned modes);
void tw_sharing_finish(struct tw_sharing *);

/* Orders of all tasks, for one memory. Both fill order[n_tasks]. Memory: O(accesses). Time: linear in the pairs of
 * tasks that share a handle, the sum of the squares of the numbers of tasks per handle. TW_NOMEM. */

/* Reverse Cuthill-McKee (Cuthill, McKee 1969; George 1971). Tasks are vertices, and an edge joins tasks that share a
 * handle. Connected components follow in the order of submission. Each is searched breadth first from a vertex of
 * least degree, the neighbours of a vertex by increasing degree; ties: the order of submission. The whole order is
 * reversed. */
int tw_rcm_order(tw_task *order, const struct tw_sharing *);

/* The order in which vertices join a maximum spanning tree of the same graph, whose edges weigh the shared bytes.
 * Prim's algorithm grows the tree from the first task: the next task is the one that shares most with a task in the
 * tree. Tasks that share nothing with the tree follow in the order of submission. */
int tw_mst_order(tw_task *order, const struct tw_sharing *);

#endif
