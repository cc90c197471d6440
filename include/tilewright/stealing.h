/* Work stealing: a queue of tasks for each worker, and what ws and lws do with it. A help for policies.
 *
 * What a worker releases goes into its own queue (to the next worker that can run it, if it cannot); tasks of the submitting
 * thread are dealt out in turn, from worker 1 on. A worker takes its own tasks by priority, the oldest first, and steals from
 * the other end of a queue: of the highest priority, the newest that it can run. Only those are stolen from whose last
 * demand for a task was met, so that nobody loses the task that it was woken for (StarPU's rules). */
#ifndef TILEWRIGHT_STEALING_H
#define TILEWRIGHT_STEALING_H

#include <tilewright/task_queue.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_stealing_deque {
	struct tw_task_queue tasks;
	bool busy;             /* its last pop gave a task */
	tw_worker next_victim; /* of this worker, in the circle */
};

struct tw_stealing {
	tw_worker n, next_submitted;
	struct tw_stealing_deque *deques;
	struct tw_task_link *links;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_stealing_init(struct tw_stealing *, const struct tw_sched *, struct tw_error *err);
void tw_stealing_finish(struct tw_stealing *);

/* Wakes everybody. */
void tw_stealing_push(struct tw_stealing *, struct tw_sched *, tw_task, tw_worker released_by);

/* An own task, else one of the first victim, of the `n` listed, that has one to give; else TW_NONE.
 * O(victims) if nothing is there to steal. */
tw_task tw_stealing_pop(struct tw_stealing *, struct tw_sched *, tw_worker, const tw_worker *victims);

/* The same, and the victims are all workers in a circle that begins behind the last one that this worker robbed; where there was
 * nothing to steal, it begins one further the next time. */
tw_task tw_stealing_pop_in_turn(struct tw_stealing *, struct tw_sched *, tw_worker);

#ifdef __cplusplus
}
#endif
#endif
