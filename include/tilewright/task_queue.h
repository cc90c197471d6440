/* Task queues for policies, ordered by priority, then age. A task is in at most one queue at a time, so all queues
 * share one array of links. If a queue has tasks of p different priorities, adding or removing one costs O(log p)
 * comparisons and moves at most p entries. */
#ifndef TILEWRIGHT_TASK_QUEUE_H
#define TILEWRIGHT_TASK_QUEUE_H

#include <tilewright/sched.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_task_link {
	tw_task before, behind; /* next older and next newer task of one priority in a queue; TW_NONE at the ends */
};

struct tw_task_level {
	int32_t priority;
	tw_task oldest, newest;
	struct tw_lacks_group *by_lacks; /* this level's tasks, sorted by the data that they lack; NULL: not in use */
	int32_t n_ranked;                /* tasks added to `by_lacks` so far; gives ranks, which order equal lacks */
	int32_t n_spared;                /* consecutive searches for the readiest task that did not need `by_lacks` */
};

struct tw_task_queue {
	const struct tw_sched *s;
	struct tw_task_link *links;   /* [tasks]; all queues share this array */
	struct tw_task_level *levels; /* [n_levels]: one per priority in the queue, ascending */
	struct tw_lacks *lacks;       /* the lacks of all tasks in `by_lacks`; NULL until a level has had `by_lacks` */
	int n_levels, capacity;
	int32_t n_tasks;
};

/* Returns links for all tasks of the run. Links and queues have memory of the run (tw_run_alloc). */
struct tw_task_link *tw_task_links_create(const struct tw_sched *);
void tw_task_queue_init(struct tw_task_queue *, const struct tw_sched *, struct tw_task_link *links);

/* Adds a task behind all tasks of that priority. */
void tw_task_queue_add(struct tw_task_queue *, tw_task, int32_t priority);
void tw_task_queue_remove(struct tw_task_queue *, tw_task, int32_t priority);

/* Returns the oldest task of the highest priority; TW_NONE: the queue is empty. The next newer task of that priority is
 * queue->links[task].behind. */
tw_task tw_task_queue_oldest(const struct tw_task_queue *);

/* Fills tasks[max] with the first tasks that the worker can run, by priority, then age. Returns the number of tasks. */
int tw_task_queue_first_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker, tw_task *tasks, int max);

/* Of the tasks that the worker can run, returns the oldest, or the newest, among those with the highest priority.
 * TW_NONE: the worker can run no task of the queue. */
tw_task tw_task_queue_oldest_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker);
tw_task tw_task_queue_newest_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker);

/* Only for a queue whose tasks were all added with one priority. Among the tasks that the worker can run and whose
 * inputs are valid in the worker's memory, returns the one with the highest tw_task_priority. Ties: the oldest.
 * TW_NONE: there is no such task. Costs O(tasks). */
tw_task tw_task_queue_most_urgent_there(const struct tw_task_queue *, const struct tw_sched *, tw_worker);

#ifdef __cplusplus
}
#endif
#endif
