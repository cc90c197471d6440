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

struct tw_sharing tw_sharing_of(const struct tw_graph *); /* of all tasks of a complete graph */
void tw_sharing_finish(struct tw_sharing *);

/* Functions that fill order[n_tasks] with an order of all tasks, for one memory. Memory: O(accesses). Time: linear in
 * the pairs of tasks that share a handle: the sum, over all handles, of the square of the number of tasks. */
typedef void tw_sharing_order(tw_task *order, const struct tw_sharing *);

/* Fills order[n_tasks] with the tasks in reverse Cuthill-McKee order (Cuthill, McKee 1969; George 1971). Tasks are
 * vertices, and an edge joins tasks that share a handle. Connected components follow in the order of submission. Each
 * component is searched breadth first from a vertex of least degree, the neighbours of a vertex by increasing degree;
 * ties: the order of submission. At the end, the whole order is reversed. */
tw_sharing_order tw_rcm_order;

/* Fills order[n_tasks] with the tasks in the order in which they join a maximum spanning tree. Tasks are vertices, and
 * an edge joins tasks that share a handle; it weighs the shared bytes. Prim's algorithm grows the tree from the first
 * task: the next task is the one that shares most with a task in the tree. Tasks that share nothing with the tree
 * follow in the order of submission. */
tw_sharing_order tw_mst_order;

#endif
