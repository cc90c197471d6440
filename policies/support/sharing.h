/* The relation of tasks that share data, as if tasks were independent. Orders for locality are made from it. A task
 * shares the handles that it reads or writes, since both need room. Scratch handles are not shared.
 *
 * Two tasks share the bytes of their common handles. With handles of equal size this is the number of handles, as in
 * the papers. */
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
	uint64_t *bytes; /* [handles] size of each handle */
};

/* Fills the relation for all tasks of a complete graph. Counts the accesses that have one of these modes (enum
 * tw_mode); TW_SHARED: all modes that share data. TW_NOMEM: nothing is left allocated. */
#define TW_SHARED (TW_RW | TW_REDUX)
int tw_sharing_init(struct tw_sharing *, const struct tw_graph *, unsigned modes);
void tw_sharing_finish(struct tw_sharing *);

/* Functions that fill order[n_tasks] with an order of all tasks, for one memory. Both return TW_OK or TW_NOMEM. Memory:
 * O(accesses). Time: linear in the pairs of tasks that share a handle: the sum, over all handles, of the square of the
 * number of tasks. */

/* Fills order[n_tasks] with the tasks in reverse Cuthill-McKee order (Cuthill, McKee 1969; George 1971). Tasks are
 * vertices, and an edge joins tasks that share a handle. Connected components follow in the order of submission. Each
 * component is searched breadth first from a vertex of least degree, the neighbours of a vertex by increasing degree;
 * ties: the order of submission. At the end, the whole order is reversed. */
int tw_rcm_order(tw_task *order, const struct tw_sharing *);

/* Fills order[n_tasks] with the tasks in the order in which they join a maximum spanning tree. Tasks are vertices, and
 * an edge joins tasks that share a handle; it weighs the shared bytes. Prim's algorithm grows the tree from the first
 * task: the next task is the one that shares most with a task in the tree. Tasks that share nothing with the tree
 * follow in the order of submission. */
int tw_mst_order(tw_task *order, const struct tw_sharing *);

#endif
