/* Queued tasks in the order of the data that they lack on a memory node, the readiest first: the task that lacks the
 * fewest bytes. For policies that take the readiest of many tasks (Ready of Gonthier et al. 2024, Algorithm 2, with
 * StarPU's ties). When copies of a task's data have changed on the node, the task is evaluated again. Memory: O(tasks
 * that wait at one time). */
#ifndef TILEWRIGHT_LACKS_H
#define TILEWRIGHT_LACKS_H

#include <tilewright/sched.h>
#include <tilewright/task_queue.h>

/* The entry of a waiting task. Entries and uses are numbered from 1. */
struct tw_lacking {
	struct tw_lack lack;
	struct tw_lacks_group *group;
	tw_task task;
	int32_t rank; /* of tasks that lack the same, the one with the least rank goes first */
	/* Index of the entry in the group's `heap` and in its `stale`; TW_NONE: not in that array. */
	int32_t place, stale;
	/* First use of a handle by the task, 0: none; of a free entry: the next free entry, 0: none. */
	int32_t first_use;
};

/* One use of a handle by a waiting task. */
struct tw_lacks_use {
	tw_data data;
	/* Entry of the task; previous and next use of the same handle on the node, 0 at the ends. */
	int32_t entry, before, behind;
	int32_t next; /* next use by the same task; of a free use: the next free use; 0: none */
};

/* A group of tasks that wait for one memory node, of which the readiest is asked for. The struct must not move in
 * memory. */
struct tw_lacks_group {
	tw_node node;
	int32_t *heap;  /* [n] heap of entries: the readiest task on top; stale entries may be at wrong places */
	int32_t *stale; /* [n_stale] entries whose lack must be computed again */
	int32_t n, n_stale, capacity;
	/* Value of surprises[node] when the group was last evaluated; if that has grown, all entries are stale. */
	uint64_t looked_at;
	struct tw_lacks_group *next_unused;
};

struct tw_lacks {
	const struct tw_sched *s;
	struct tw_lacking *entries;
	struct tw_lacks_use *uses;
	/* Numbers of entries and of uses, free ones included; room for entries and for uses in the arrays. */
	int32_t n_entries, n_uses, entry_capacity, use_capacity;
	int32_t free_entry, free_use;
	struct tw_lacks_group *unused; /* groups put away */
	int32_t *entry_of;             /* [tasks] entry of each task; 0: the task does not wait */
	/* [node * n_data + data] first use of the handle by tasks that wait for the node; 0: none */
	int32_t *first_use;
	uint64_t *seen; /* [nodes] number of changes of copies seen so far (tw_copies_changed) */
	/* [nodes] how often so many copies had changed that tw_copies_changed could not list them */
	uint64_t *surprises;
	tw_data n_data;
};

/* Initialises the struct; no task waits yet. All memory is that of the run. */
void tw_lacks_init(struct tw_lacks *, const struct tw_sched *);

void tw_lacks_group_init(struct tw_lacks_group *, tw_node); /* makes an empty group for the node */
/* Returns a group made of memory that another one had, or of new memory. Puts away a group without tasks. */
struct tw_lacks_group *tw_lacks_group_make(struct tw_lacks *, tw_node);
void tw_lacks_group_put_away(struct tw_lacks *, struct tw_lacks_group *);

/* Adds a task to a group; the task must not wait in any group yet. */
void tw_lacks_add(struct tw_lacks *, struct tw_lacks_group *, tw_task, int32_t rank);
/* Removes a task from its group. Does nothing if the task does not wait. */
void tw_lacks_remove(struct tw_lacks *, tw_task);

/* Returns the task of the group that needs the fewest bytes transferred to the node (tw_task_lacks_less); ties: the
 * task that was added with the least rank. TW_NONE: the group is empty. */
tw_task tw_lacks_readiest(struct tw_lacks *, struct tw_lacks_group *);

/* --- for the queues of tilewright/task_queue.h, sorted by priority ------------------------------------------------ */

/* Returns, among the queued tasks of the highest priority, the one that needs the fewest bytes transferred to the node;
 * ties: the oldest. TW_NONE: the queue is empty. Tasks are compared by the bytes that are not valid on the node. Equal
 * tasks are compared by the bytes not even on their way there, then by the bytes without an allocation. This is Ready
 * of Gonthier et al. 2024, Algorithm 2, with StarPU's ties.
 *
 * Examines the first tasks. If many of them lack data, `lacks` keeps the order of the tasks from then on. A queue must
 * always be used with the same node. `lacks` must outlive the queue. */
tw_task tw_task_queue_most_ready(struct tw_task_queue *, struct tw_lacks *, tw_node);

#endif
