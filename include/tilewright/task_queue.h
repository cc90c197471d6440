/* Queues of tasks by priority, then age: a help for policies. Any number of queues share one set of links, since a task
 * is in at most one queue at a time. Adding costs O(log p) comparisons and a move of at most p entries, p being the
 * number of different priorities in the queue; removing a task costs no more. */
#ifndef TILEWRIGHT_TASK_QUEUE_H
#define TILEWRIGHT_TASK_QUEUE_H

#include <tilewright/sched.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_task_link {
	tw_task before, behind; /* older, newer; TW_NONE at the ends */
};

struct tw_task_level {
	int32_t priority;
	tw_task oldest, newest;
	struct tw_lacks_group *by_lacks; /* for policies of this tree; or NULL */
	int32_t n_ranked;                /* so many have joined these: the older go first */
	int32_t n_spared;                /* takes in a row for which nobody asked them */
};

struct tw_task_queue {
	struct tw_task_link *links;   /* shared, [tasks] */
	struct tw_task_level *levels; /* the highest priority last */
	struct tw_lacks *lacks;       /* of the levels' `by_lacks` */
	int n_levels, capacity;
	int32_t n_tasks;
};

/* Links for all tasks of the run; free() them. NULL: out of memory. */
struct tw_task_link *tw_task_links_create(const struct tw_sched *);

void tw_task_queue_init(struct tw_task_queue *, struct tw_task_link *links);
void tw_task_queue_finish(struct tw_task_queue *); /* leaves the links alone */

/* Behind all tasks of that priority. TW_NOMEM: not added. */
int tw_task_queue_add(struct tw_task_queue *, tw_task, int32_t priority);
void tw_task_queue_remove(struct tw_task_queue *, tw_task, int32_t priority);

/* The oldest task of the highest priority; TW_NONE when the queue is empty. Walk on by queue->links[task].behind. */
tw_task tw_task_queue_oldest(const struct tw_task_queue *);

/* Writes the first of those that the worker can run, by priority, then age, no more than `max`; returns how many. */
int tw_task_queue_first_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker, tw_task *tasks, int max);

/* Of the tasks that the worker can run and that have the highest priority: the oldest, the newest; or TW_NONE. */
tw_task tw_task_queue_oldest_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker);
tw_task tw_task_queue_newest_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker);

/* In a queue of tasks of one priority: of those that the worker can run and whose inputs are valid in its memory, the one that the graph gives
 * the highest priority, the oldest of equals; or TW_NONE. O(tasks). */
tw_task tw_task_queue_most_urgent_there(const struct tw_task_queue *, const struct tw_sched *, tw_worker);

#ifdef __cplusplus
}
#endif
#endif
