/* Ready tasks by what their data lack on a memory node, the readiest first: a help for policies that take the
 * readiest of many tasks (Ready of Gonthier et al. 2024, Algorithm 2, with the ties of StarPU's). A task is looked
 * at again when copies of its data have changed there. Memory grows with the tasks that wait at one time. */
#ifndef TILEWRIGHT_LACKS_H
#define TILEWRIGHT_LACKS_H

#include <tilewright/sched.h>
#include <tilewright/task_queue.h>

/* A task that waits. Entries and uses have numbers from 1. */
struct tw_lacking {
	struct tw_lack lack;
	struct tw_lacks_group *group;
	tw_task task;
	int32_t rank;         /* of tasks that lack the same, the one with the least rank goes first */
	int32_t place, stale; /* in its group's `heap` and `stale`; TW_NONE: not there */
	int32_t first_use;    /* 0: none; of an entry that is free: the next one */
};

/* One of its data. */
struct tw_lacks_use {
	tw_data data;
	int32_t entry, before, behind; /* of the uses of that data on that node; 0 at the ends */
	int32_t next;                  /* of the same task; or the next free one */
};

/* Tasks among which one is the readiest. It must not move in memory. */
struct tw_lacks_group {
	tw_node node;
	int32_t *heap;  /* of entries: the readiest on top, but for those that are stale */
	int32_t *stale; /* the same entries, if they have to be looked at */
	int32_t n, n_stale, capacity;
	uint64_t looked_at; /* before that many of the node's `surprises`: all are stale */
};

struct tw_lacks {
	const struct tw_sched *s;
	struct tw_lacking *entries;
	struct tw_lacks_use *uses;
	int32_t n_entries, n_uses, entry_capacity, use_capacity; /* with those that are free */
	int32_t free_entry, free_use;
	int32_t *entry_of;   /* [tasks] 0: it does not wait */
	int32_t *first_use;  /* [nodes * data] 0: none */
	uint64_t *seen;      /* [nodes] changes of copies */
	uint64_t *surprises; /* [nodes] how often there were more of them than are told */
	tw_data n_data;
};

/* No task waits at first. TW_NOMEM: nothing is left allocated. */
int tw_lacks_init(struct tw_lacks *, const struct tw_sched *);
void tw_lacks_finish(struct tw_lacks *);

void tw_lacks_group_init(struct tw_lacks_group *, tw_node); /* empty */
void tw_lacks_group_finish(struct tw_lacks_group *);

/* A task that does not wait does so now. TW_NOMEM: it does not. */
int tw_lacks_add(struct tw_lacks *, struct tw_lacks_group *, tw_task, int32_t rank);
/* It waits no longer; nothing happens if it did not. */
void tw_lacks_remove(struct tw_lacks *, tw_task);

/* The one of the group that lacks the least (tw_task_lacks_less), of equals the one of the least rank; TW_NONE:
 * none waits. */
tw_task tw_lacks_readiest(struct tw_lacks *, struct tw_lacks_group *);

/* --- queues by priority (tilewright/task_queue.h) ----------------------------------------------------------------- */

/* Among the tasks of the highest priority, the first that needs the fewest bytes brought to the node: bytes not valid
 * there, then bytes not even on their way, then bytes without room (Ready of Gonthier et al. 2024, Algorithm 2, with the
 * ties of StarPU's). The first tasks are looked at; where many lack something, `lacks` keeps what they lack from then on, for
 * queues that are on one node each. It must outlive the queue. */
tw_task tw_task_queue_most_ready(struct tw_task_queue *, struct tw_lacks *, struct tw_sched *, tw_node);

#endif
