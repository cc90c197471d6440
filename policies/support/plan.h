/* Planned orders: which tasks each memory node's workers are to run, in which order, and with which data: a help for
 * policies that plan ahead, whose `planned_use` it answers. A task is in the order of at most one node, from when it is
 * planned until it is done; it may be withdrawn before that. Each task's accesses are linked with those to the same data in
 * the same order, so that the answer is O(1), as is planning at either end, taking and ending for each access; in the
 * middle of an order it takes a walk through the uses of the task's data that come later there.
 * Only contributors to a reduction use its accumulators, not the data: any worker's accumulator, as far as plans know. */
#ifndef TILEWRIGHT_PLAN_H
#define TILEWRIGHT_PLAN_H

#include <tilewright/policy.h>

enum tw_plan_state { TW_NOT_PLANNED, TW_PLANNED, TW_TAKEN };

struct tw_planned_task {
	int64_t place; /* grows along the order; places between are free, and all may change when they are not */
	tw_task ahead, behind; /* in the order; TW_NONE at its ends */
	uint32_t uses;         /* its first in tw_plan.uses; 0: it was never planned */
	int16_t node;
	uint8_t state; /* enum tw_plan_state */
};

struct tw_plan_use {
	tw_task task;
	uint32_t ahead, behind; /* of the same data, in the same order; 0 at the ends */
};

struct tw_plan_uses {
	uint32_t first, last; /* in tw_plan.uses */
	int32_t taken, planned;
	int64_t next; /* the place of the first, if there is one: victims are chosen among many data by it */
};

struct tw_plan_order {
	tw_task first, last;
	int32_t n_planned; /* in it and not taken */
};

struct tw_plan {
	struct tw_planned_task *tasks; /* [tasks] */
	struct tw_plan_order *orders;  /* [nodes] */
	struct tw_plan_uses *of_data;  /* [node * data + data] */
	struct tw_plan_use *uses;      /* of each task planned so far, in the order of its accesses; 0 is none */
	size_t n_uses, capacity;
	tw_data n_data, first_accumulator;
	tw_worker n_workers;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_plan_init(struct tw_plan *, const struct tw_sched *);
void tw_plan_finish(struct tw_plan *);

/* Plans a task that is not planned: behind all others of the node, or right behind `ahead`, which is in the node's order
 * (TW_NONE: in front of all). TW_NOMEM: it is not planned. */
int tw_plan_append(struct tw_plan *, const struct tw_sched *, tw_task, tw_node);
int tw_plan_insert(struct tw_plan *, const struct tw_sched *, tw_task, tw_node, tw_task ahead);

/* Withdraws a task; one that is not planned is left alone. */
void tw_plan_remove(struct tw_plan *, const struct tw_sched *, tw_task);

/* A worker of the node has popped the task, wherever it stands in the node's order. If it was planned for another node, or
 * not at all, it is in front of all now. Ends the run when memory is short. */
void tw_plan_take(struct tw_plan *, struct tw_sched *, tw_task, tw_node);

/* The task is done. */
void tw_plan_done(struct tw_plan *, const struct tw_sched *, tw_task);

struct tw_planned_use tw_plan_use(const struct tw_plan *, tw_data, tw_node);

#endif
