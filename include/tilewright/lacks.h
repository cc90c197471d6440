/* Ready tasks by what they lack on the memory node that they wait for, the readiest first: a help for policies
 * that take the readiest of many tasks (Ready of Gonthier et al. 2024, Algorithm 2). A task is looked at again
 * when copies of its data have changed there. A plan (plan.h) tells which tasks use the data: each task has to be
 * in the order of its node. */
#ifndef TILEWRIGHT_LACKS_H
#define TILEWRIGHT_LACKS_H

#include <tilewright/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A task that waits. */
struct tw_lacking {
	struct tw_lack lack;
	int32_t rank;         /* of tasks that lack the same, the one with the least rank goes first */
	int32_t place, stale; /* in its node's `heap` and `stale`; TW_NONE: not there */
	tw_node node;
};

struct tw_lacks_on_node {
	tw_task *heap;  /* a binary heap: the readiest on top, but for those that are stale */
	tw_task *stale; /* the same tasks, if they have to be looked at */
	int32_t n, n_stale;
	uint64_t seen; /* changes of copies */
};

struct tw_lacks {
	const struct tw_plan *plan;
	struct tw_lacking *of; /* [tasks] */
	struct tw_lacks_on_node *nodes;
	tw_node n_nodes;
};

/* No task waits at first. The plan must outlive it. TW_NOMEM: nothing is left allocated. */
int tw_lacks_init(struct tw_lacks *, const struct tw_sched *, const struct tw_plan *);
void tw_lacks_finish(struct tw_lacks *);

/* A task that does not wait does so now, on that node. */
void tw_lacks_add(struct tw_lacks *, tw_task, tw_node, int32_t rank);
/* It waits no longer; nothing happens if it did not. */
void tw_lacks_remove(struct tw_lacks *, tw_task);

/* The one that waits there and lacks the least (tw_task_lacks_less), of equals the one of the least rank; TW_NONE:
 * none waits. */
tw_task tw_lacks_readiest(struct tw_lacks *, const struct tw_sched *, tw_node);

#ifdef __cplusplus
}
#endif
#endif
