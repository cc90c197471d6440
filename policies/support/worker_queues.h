/* One queue of tasks per worker, for policies that choose the worker when a task becomes ready. */
#ifndef TILEWRIGHT_WORKER_QUEUES_H
#define TILEWRIGHT_WORKER_QUEUES_H

#include <tilewright/task_queue.h>

struct tw_worker_queues {
	tw_worker n;
	struct tw_task_queue *of;
	struct tw_task_link *links;
};

/* Initialises an empty queue for each worker, in memory of the run. */
void tw_worker_queues_init(struct tw_worker_queues *, const struct tw_sched *);

/* Adds the task to the queue of the worker, behind all tasks of its priority, and wakes the worker. */
void tw_worker_queues_give(struct tw_worker_queues *, struct tw_sched *, tw_task, int32_t priority, tw_worker);
/* Adds the task to the queue of the worker that released it, or of the next worker that can run it, and wakes that
 * worker. TW_NONE: searches from worker 0 on. */
void tw_worker_queues_give_back(struct tw_worker_queues *, struct tw_sched *, tw_task, int32_t priority,
                                tw_worker released_by);
/* Takes the oldest task of the highest priority out of the worker's queue; TW_NONE: the queue is empty. The function
 * pop of a policy whose state begins with a struct tw_worker_queues. */
tw_task tw_worker_queues_pop(struct tw_sched *, void *queues, tw_worker);

#endif
