/* Which tasks share which data, as if tasks were independent: what orders for locality are made from. A task shares what it
 * reads and what it writes, as both need room; but for scratch, which is nobody else's.
 *
 * Two tasks share as many bytes as their common data have: with data of one size, their number, as papers have it. */
#ifndef TILEWRIGHT_SHARING_H
#define TILEWRIGHT_SHARING_H

#include <tilewright/graph.h>

struct tw_sharing {
	tw_task n_tasks;
	tw_data n_data;
	size_t *first_data; /* the data of task t: data[first_data[t]] .. data[first_data[t + 1] - 1], ascending */
	tw_data *data;
	size_t *first_task; /* the tasks of data d: tasks[first_task[d]] .. tasks[first_task[d + 1] - 1], ascending */
	tw_task *tasks;
	uint64_t *bytes; /* [data] */
};

/* Of all tasks of a graph that is finished, by their accesses that have one of these modes (enum tw_mode); all that is shared:
 * TW_SHARED. TW_NOMEM: nothing is left allocated. */
#define TW_SHARED (TW_RW | TW_REDUX)
int tw_sharing_init(struct tw_sharing *, const struct tw_graph *, unsigned modes);
void tw_sharing_finish(struct tw_sharing *);

/* Orders of all tasks, for one memory. Both fill order[n_tasks], take memory linear in the accesses, and time linear in the
 * pairs of tasks that share a data: the sum of the squares of tw_sharing's lists of tasks. TW_NOMEM. */

/* Reverse Cuthill-McKee (Cuthill, McKee 1969; George 1971): tasks are vertices, an edge joins those that share a data. Of
 * each connected part, in the order of submission: breadth first from a vertex of least degree, the neighbours of each vertex by
 * increasing degree, equals in the order of submission; the whole is reversed. */
int tw_rcm_order(tw_task *order, const struct tw_sharing *);

/* The order in which vertices join a maximum spanning tree of the same graph, edges weighing the bytes shared, as Prim's
 * algorithm grows it from the first task: next is the task that shares most with one of those before. Parts that share
 * nothing with these follow in the order of submission. */
int tw_mst_order(tw_task *order, const struct tw_sharing *);

#endif
