/* Work stealing: one queue of tasks per worker, with the operations that the policies ws and lws share. The state of
 * such a policy begins with a struct tw_stealing.
 *
 * A released task joins the queue of the worker that released it, or of the next worker that can run it. Tasks
 * submitted by the application's thread go to the workers in turn, from worker 1 on. A worker takes its own tasks by
 * priority, the oldest first. A thief steals from the other end of another worker's queue: of the highest priority, the
 * newest task that the thief can run. It steals only from workers whose last pop returned a task, so that no worker
 * loses the task that it was woken for. These are StarPU's rules. */
#ifndef TILEWRIGHT_STEALING_H
#define TILEWRIGHT_STEALING_H

#include <tilewright/containers.h>
#include <tilewright/task_queue.h>

struct tw_stealing_deque {
	struct tw_task_queue tasks;
	/* where the worker's next search for a victim begins, in the circle of all workers; its skipped pops move this
	 * place on */
	tw_worker next_victim;
};

/* Numbers of skipped pops of 64 workers: bit w of plane i is bit i of the number of worker w. So it takes two steps on
 * average to add 1 to the numbers of any of the workers. */
enum { TW_STEALING_PLANES = 16 };
struct tw_stealing_skipped {
	uint64_t planes[TW_STEALING_PLANES];
	uint64_t any; /* workers whose number may not be 0 */
};

struct tw_stealing {
	tw_worker n, next_submitted;
	struct tw_stealing_deque *deques;
	struct tw_id_set busy;               /* workers whose last pop returned a task */
	struct tw_id_set filled;             /* workers whose queues have tasks */
	struct tw_id_set victims;            /* busy workers whose queues have tasks */
	int n_victims;                       /* number of victims */
	struct tw_stealing_skipped *skipped; /* one for each word of a set of workers */
};

/* Initialises an empty queue for each worker, in memory of the run. */
void tw_stealing_init(struct tw_stealing *, const struct tw_sched *);

/* The function push of a policy. Adds a ready task to the queue of a worker, and wakes all workers. */
void tw_stealing_push(struct tw_sched *, void *state, tw_task, tw_worker released_by);

/* Takes a task from the worker's own queue; TW_NONE: the queue is empty, and the worker may steal. */
tw_task tw_stealing_pop_own(struct tw_stealing *, struct tw_sched *, tw_worker);

/* Steals a task from the queue of the victim; TW_NONE: the queue has no task that the thief can run. Call it only for
 * workers in `victims`: others have no task to steal. */
tw_task tw_stealing_rob(struct tw_stealing *, struct tw_sched *, tw_worker thief, tw_worker victim);

/* Steals a task from the first victim that has one for the thief, in the circle of workers that begins at `first`. Only
 * workers in `among` count; NULL: all workers. Returns the task; TW_NONE: there is none. `*victim`: the worker that
 * lost the task. */
tw_task tw_stealing_rob_circle(struct tw_stealing *, struct tw_sched *, tw_worker thief, tw_worker first,
                               const struct tw_id_set *among, tw_worker *victim);

/* Takes a task from the worker's own queue. If that is empty, steals one, in the circle that begins behind the worker's
 * last victim. If there is nothing to steal, the circle begins one worker further the next time. */
tw_task tw_stealing_pop_in_turn(struct tw_stealing *, struct tw_sched *, tw_worker);

/* The function pops_in_vain of policies whose pop begins with tw_stealing_pop_own, and then steals. While there is no
 * victim, skips the pops of workers whose own queues are empty. Moves the beginnings of their circles on, as
 * tw_stealing_pop_in_turn does. */
uint64_t tw_stealing_pops_in_vain(struct tw_sched *, void *state, tw_worker first, uint64_t who);

#endif
