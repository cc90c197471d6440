/* Work stealing: a queue of tasks for each worker, with the common operations of ws and lws.
 *
 * A released task joins the queue of the worker that released it, or of the next worker that can run it. Tasks
 * submitted by the application's thread go to the workers in turn, from worker 1 on. A worker takes its own tasks by
 * priority, the oldest first. It steals from the other end of a queue: of the highest priority, the newest task that
 * it can run. It steals only from workers whose last pop returned a task, so that no worker loses the task that it
 * was woken for. These are StarPU's rules. */
#ifndef TILEWRIGHT_STEALING_H
#define TILEWRIGHT_STEALING_H

#include <tilewright/containers.h>
#include <tilewright/task_queue.h>

struct tw_stealing_deque {
	struct tw_task_queue tasks;
	bool busy;             /* its last pop returned a task */
	tw_worker next_victim; /* in the circle of this worker */
};

struct tw_stealing {
	tw_worker n, next_submitted;
	tw_task n_tasks; /* in all queues */
	struct tw_stealing_deque *deques;
	struct tw_id_set victims; /* workers that are busy and have tasks in their queues */
	struct tw_task_link *links;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_stealing_init(struct tw_stealing *, const struct tw_sched *, struct tw_error *err);
void tw_stealing_finish(struct tw_stealing *);

/* Adds a ready task and wakes all workers. */
void tw_stealing_push(struct tw_stealing *, struct tw_sched *, tw_task, tw_worker released_by);

/* Takes a task from the worker's own queue; TW_NONE: the queue is empty, and the worker may steal. */
tw_task tw_stealing_pop_own(struct tw_stealing *, struct tw_sched *, tw_worker);

/* Steals a task from the victim; TW_NONE: it has none for the thief. Only workers in `victims` have tasks to steal. */
tw_task tw_stealing_rob(struct tw_stealing *, struct tw_sched *, tw_worker thief, tw_worker victim);

/* Steals a task from the first victim that has one for the thief, in the circle that begins at `first`. Only workers
 * in `among` count, or all (NULL). Returns the task, or TW_NONE. `*victim`: its former owner. */
tw_task tw_stealing_rob_circle(struct tw_stealing *, struct tw_sched *, tw_worker thief, tw_worker first,
                               const struct tw_id_set *among, tw_worker *victim);

/* Takes an own task, or steals from the circle behind the worker's last victim. If there is nothing to steal, the
 * circle begins one worker further the next time. */
tw_task tw_stealing_pop_in_turn(struct tw_stealing *, struct tw_sched *, tw_worker);
/* pops_in_vain (tilewright/policy.h) of policies whose pop begins with tw_stealing_pop_own. Skips all workers while
 * all queues are empty, and advances their circles as tw_stealing_pop_in_turn does. */
uint64_t tw_stealing_pops_in_vain(struct tw_stealing *, tw_worker first, uint64_t who);

#endif
