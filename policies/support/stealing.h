/* Work stealing: a queue of tasks for each worker, and what ws and lws do with it. A help for policies.
 *
 * What a worker releases goes into its own queue (to the next worker that can run it, if it cannot); tasks of the submitting
 * thread are dealt out in turn, from worker 1 on. A worker takes its own tasks by priority, the oldest first, and steals from
 * the other end of a queue: of the highest priority, the newest that it can run. Only those are stolen from whose last
 * demand for a task was met, so that nobody loses the task that it was woken for (StarPU's rules). */
#ifndef TILEWRIGHT_STEALING_H
#define TILEWRIGHT_STEALING_H

#include <tilewright/containers.h>
#include <tilewright/task_queue.h>

struct tw_stealing_deque {
	struct tw_task_queue tasks;
	bool busy;             /* its last pop gave a task */
	tw_worker next_victim; /* of this worker, in the circle */
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

/* Wakes everybody. */
void tw_stealing_push(struct tw_stealing *, struct tw_sched *, tw_task, tw_worker released_by);

/* The task that a worker has in its own queue; TW_NONE: it has none, and may steal. */
tw_task tw_stealing_pop_own(struct tw_stealing *, struct tw_sched *, tw_worker);

/* A task from that victim; TW_NONE: it has none to give. Only `victims` have. */
tw_task tw_stealing_rob(struct tw_stealing *, struct tw_sched *, tw_worker thief, tw_worker victim);

/* A task from the first victim that has one to give, in the circle that begins at `first`; of those `among` alone, or of all (NULL).
 * Returns the task, or TW_NONE. `*victim`: who had it. */
tw_task tw_stealing_rob_circle(struct tw_stealing *, struct tw_sched *, tw_worker thief, tw_worker first,
                               const struct tw_id_set *among, tw_worker *victim);

/* An own task, or one of another worker, in the circle that begins behind the last one that this worker robbed; where there was
 * nothing to steal, it begins one further the next time. */
tw_task tw_stealing_pop_in_turn(struct tw_stealing *, struct tw_sched *, tw_worker);
/* pops_in_vain (tilewright/policy.h) of policies whose pop begins with tw_stealing_pop_own: skips all while no
 * queue has a task, and moves their circles on as tw_stealing_pop_in_turn does. */
uint64_t tw_stealing_pops_in_vain(struct tw_stealing *, tw_worker first, uint64_t who);

#endif
