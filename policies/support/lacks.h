/* Ready tasks ordered by the data that they lack on a memory node, the readiest first. For policies that take the
 * readiest of many tasks (Ready of Gonthier et al. 2024, Algorithm 2, with StarPU's ties). A task is re-evaluated
 * when copies of its data have changed on the node. Memory: O(tasks that wait at one time). */
#ifndef TILEWRIGHT_LACKS_H
#define TILEWRIGHT_LACKS_H

#include <tilewright/sched.h>
#include <tilewright/task_queue.h>

/* A waiting task. Entries and uses are numbered from 1. */
struct tw_lacking {
	struct tw_lack lack;
	struct tw_lacks_group *group;
	tw_task task;
	int32_t rank;         /* ties: the least rank first */
	int32_t place, stale; /* index in the group's `heap` and `stale`; TW_NONE: not in it */
	int32_t first_use;    /* 0: none; for a free entry: the next free entry */
};

/* A handle of a waiting task. */
struct tw_lacks_use {
	tw_data data;
	int32_t entry, before, behind; /* neighbours: uses of the handle on the node; 0 at the ends */
	int32_t next;                  /* next use of the same task; for a free use: the next free use */
};

/* Tasks among which one is the readiest. The struct must not move in memory. */
struct tw_lacks_group {
	tw_node node;
	int32_t *heap;  /* entries: the readiest on top, except for stale ones */
	int32_t *stale; /* entries to re-evaluate */
	int32_t n, n_stale, capacity;
	uint64_t looked_at; /* value of the node's `surprises` when last evaluated; if it has grown, all are stale */
};

struct tw_lacks {
	const struct tw_sched *s;
	struct tw_lacking *entries;
	struct tw_lacks_use *uses;
	int32_t n_entries, n_uses, entry_capacity, use_capacity; /* including free ones */
	int32_t free_entry, free_use;
	int32_t *entry_of;   /* [tasks] 0: does not wait */
	int32_t *first_use;  /* [nodes * data] 0: none */
	uint64_t *seen;      /* [nodes] number of changes of copies seen */
	uint64_t *surprises; /* [nodes] number of times when too many changes were lost */
	tw_data n_data;
};

/* Initially no task waits. TW_NOMEM: nothing is left allocated. */
int tw_lacks_init(struct tw_lacks *, const struct tw_sched *);
void tw_lacks_finish(struct tw_lacks *);

void tw_lacks_group_init(struct tw_lacks_group *, tw_node); /* empty */
void tw_lacks_group_finish(struct tw_lacks_group *);

/* Adds a task that does not wait. TW_NOMEM: not added. */
int tw_lacks_add(struct tw_lacks *, struct tw_lacks_group *, tw_task, int32_t rank);
/* Removes a task. Does nothing if the task does not wait. */
void tw_lacks_remove(struct tw_lacks *, tw_task);

/* The task of the group that lacks the least (tw_task_lacks_less); ties: the least rank. TW_NONE: no task waits. */
tw_task tw_lacks_readiest(struct tw_lacks *, struct tw_lacks_group *);

/* --- queues by priority (tilewright/task_queue.h) ----------------------------------------------------------------- */

/* Among the tasks of the highest priority, the one that needs the fewest bytes transferred to the node; ties: the
 * first. Compares bytes not valid there, then bytes not even on their way, then bytes without an allocation (Ready of
 * Gonthier et al. 2024, Algorithm 2, with StarPU's ties). Examines the first tasks. If many lack data, `lacks` keeps
 * their order from then on. Each queue must be for one node, and `lacks` must outlive the queue. */
tw_task tw_task_queue_most_ready(struct tw_task_queue *, struct tw_lacks *, struct tw_sched *, tw_node);

#endif
