/* The relation of tasks that share data, as if tasks were independent. Orders for locality are made from it. A task
 * shares the handles that it reads or writes, since both need room. Scratch handles are not shared.
 *
 * Two tasks share the bytes of their common handles. With handles of equal size this is the number of handles, as in
 * the papers.
 *
 * A handle of k tasks makes k^2 pairs. So a handle of more than TW_SHARING_MOST tasks counts as several handles of its
 * size. Each is that of consecutive tasks in the order of submission, about as many each, and at most TW_SHARING_MOST.
 * The papers' sets of tasks have no such handle. */
#ifndef TILEWRIGHT_SHARING_H
#define TILEWRIGHT_SHARING_H

#include <tilewright/graph.h>

enum { TW_SHARING_MOST = 512 };

/* The numbers of handles are those of the graph, unless some of them count as several. */
struct tw_sharing {
	tw_task n_tasks;
	tw_data n_data;
	uint32_t *first_data; /* handles of task t: data[first_data[t]] .. data[first_data[t + 1] - 1], ascending */
	tw_data *data;
	uint32_t *first_task; /* tasks of handle d: tasks[first_task[d]] .. tasks[first_task[d + 1] - 1], ascending */
	tw_task *tasks;       /* NULL after tw_sharing_drop_tasks */
	uint64_t *bytes;      /* [handles] size of each handle */
};

struct tw_sharing tw_sharing_of(const struct tw_graph *); /* of all tasks of a complete graph */
void tw_sharing_drop_tasks(struct tw_sharing *);          /* frees `tasks`, when nobody needs them any more */
void tw_sharing_finish(struct tw_sharing *);

/* A function that fills order[n_tasks] with an order of all tasks, for one memory. Those of policies/rcm.c and
 * policies/mst.c take memory of O(accesses). Their time is linear in the pairs of tasks that share a handle: the sum,
 * over all handles, of the square of the number of tasks. Returns how many tasks it has looked at, each as a user of a
 * handle: those of mst.c are tw_sharing_pairs(). */
typedef int64_t tw_sharing_order(tw_task *order, const struct tw_sharing *);
/* Returns the number of pairs of tasks that share a handle, (t, t) and both orders included. */
int64_t tw_sharing_pairs(const struct tw_sharing *);
tw_sharing_order tw_rcm_order, tw_mst_order;

#endif
