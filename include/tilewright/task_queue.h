/* Task queues for policies, ordered by priority, then age. A task is in at most one queue at a time, so all queues
 * share one array of links. With p different priorities in the queue, adding or removing a task costs O(log p)
 * comparisons and moves at most p entries. */
#ifndef TILEWRIGHT_TASK_QUEUE_H
#define TILEWRIGHT_TASK_QUEUE_H

#include <tilewright/sched.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_task_link {
	tw_task before, behind; /* the next older and the next newer task; TW_NONE at the ends */
};

struct tw_task_level {
	int32_t priority;
	tw_task oldest, newest;
	struct tw_lacks_group *by_lacks; /* tasks sorted by their lacks, for policies of this tree; or NULL */
	int32_t n_ranked;                /* tasks added to `by_lacks` so far: the rank of the next one, for ties */
	int32_t n_spared;                /* consecutive takes that did not need `by_lacks` */
};

struct tw_task_queue {
	struct tw_task_link *links;   /* shared, [tasks] */
	struct tw_task_level *levels; /* in ascending order of priority */
	struct tw_lacks *lacks;       /* used by the levels with `by_lacks` */
	int n_levels, capacity;
	int32_t n_tasks;
};

/* Links for all tasks of the run, which the caller frees with free(). NULL: out of memory. */
struct tw_task_link *tw_task_links_create(const struct tw_sched *);

void tw_task_queue_init(struct tw_task_queue *, struct tw_task_link *links);
void tw_task_queue_finish(struct tw_task_queue *); /* does not free the links */

/* Adds a task after all others of that priority. TW_NOMEM: it was not added. */
int tw_task_queue_add(struct tw_task_queue *, tw_task, int32_t priority);
void tw_task_queue_remove(struct tw_task_queue *, tw_task, int32_t priority);

/* The oldest task of the highest priority, or TW_NONE. queue->links[task].behind is the next newer one of that
 * priority. */
tw_task tw_task_queue_oldest(const struct tw_task_queue *);

/* Writes the first tasks that the worker can run, by priority, then age, at most `max`. Returns their number. */
int tw_task_queue_first_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker, tw_task *tasks, int max);

/* The oldest, or the newest, of the tasks with the highest priority among those that the worker can run; or TW_NONE. */
tw_task tw_task_queue_oldest_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker);
tw_task tw_task_queue_newest_for(const struct tw_task_queue *, const struct tw_sched *, tw_worker);

/* For a queue whose tasks were all added with one priority. Among the tasks that the worker can run and whose inputs
 * are valid in its memory, returns the one with the highest tw_task_priority, or TW_NONE. Ties: the oldest.
 * O(tasks). */
tw_task tw_task_queue_most_urgent_there(const struct tw_task_queue *, const struct tw_sched *, tw_worker);

#ifdef __cplusplus
}
#endif
#endif
