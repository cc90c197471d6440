/* Planned orders: the tasks that each memory node's workers are to run, their order, and their data. Policies that
 * plan ahead use it to answer `planned_use`. A task is in the order of at most one node, from when it is planned
 * until it is done; it may be withdrawn earlier. Accesses to the same handle in the same order are linked. So an
 * answer is O(1). Planning at either end, taking, and ending are O(1) per access. Planning in the middle of an order
 * also walks through the later uses of the task's handles there. Contributors to a reduction use its accumulators,
 * not the handle. A plan does not know which worker's accumulator they will use, so it counts them for all. */
#ifndef TILEWRIGHT_PLAN_H
#define TILEWRIGHT_PLAN_H

#include <tilewright/policy.h>

enum tw_plan_state { TW_NOT_PLANNED, TW_PLANNED, TW_TAKEN };

struct tw_planned_task {
	/* Ascending along the order. Numbers between two places are free; all places change when none is left. */
	int64_t place;
	tw_task ahead, behind; /* neighbours in the order; TW_NONE at its ends */
	uint32_t uses;         /* its first use in tw_plan.uses; 0: it was never planned */
	int16_t node;
	uint8_t state; /* enum tw_plan_state */
};

struct tw_plan_use {
	tw_task task;
	uint32_t ahead, behind; /* neighbours: uses of the same handle in the same order; 0 at the ends */
};

struct tw_plan_uses {
	uint64_t nearness; /* TW_NEVER - the place of the first use; 0: there is none */
	int32_t taken, planned;
	uint32_t first, last; /* index in tw_plan.uses */
};

struct tw_plan_order {
	tw_task first, last;
	int32_t n_planned; /* tasks in it that are not taken */
};

struct tw_plan {
	struct tw_planned_task *tasks; /* [tasks] */
	struct tw_plan_order *orders;  /* [nodes] */
	struct tw_plan_uses *of_data;  /* [node * data + data] */
	struct tw_plan_use *uses;      /* uses of each task planned so far, in the order of its accesses; 0 is no use */
	size_t n_uses, capacity;
	tw_data n_data, first_accumulator;
	tw_worker n_workers;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_plan_init(struct tw_plan *, const struct tw_sched *);
void tw_plan_finish(struct tw_plan *);

/* Plans a task that is not planned: at the end of the node's order, or right behind `ahead`, which must be in that
 * order (TW_NONE: at the front). TW_NOMEM: it is not planned. */
int tw_plan_append(struct tw_plan *, const struct tw_sched *, tw_task, tw_node);
int tw_plan_insert(struct tw_plan *, const struct tw_sched *, tw_task, tw_node, tw_task ahead);

/* Withdraws a task. Does nothing if the task is not planned. */
void tw_plan_remove(struct tw_plan *, const struct tw_sched *, tw_task);

/* A worker of the node has popped the task, which may be anywhere in the node's order. If it was planned for another
 * node, or not at all, it is first in the node's order now. Ends the run if memory is short. */
void tw_plan_take(struct tw_plan *, struct tw_sched *, tw_task, tw_node);

/* The task is done. */
void tw_plan_done(struct tw_plan *, const struct tw_sched *, tw_task);

static inline struct tw_planned_use tw__plan_use_of(const struct tw_plan_uses *all)
{
	return (struct tw_planned_use){(int64_t)(TW_NEVER - all->nearness), all->taken, all->planned};
}

/* Adds the uses by contributors, which are counted with the first worker's accumulator. */
struct tw_planned_use tw__plan_add_uses(const struct tw_plan *, tw_data accumulator, tw_node, struct tw_planned_use);

/* The answer to `planned_use`. Inlined, because eviction policies compare many handles. */
static inline struct tw_planned_use tw_plan_use(const struct tw_plan *p, tw_data d, tw_node node)
{
	struct tw_planned_use use = tw__plan_use_of(&p->of_data[(size_t)node * (size_t)p->n_data + (size_t)d]);
	return d < p->first_accumulator ? use : tw__plan_add_uses(p, d, node, use);
}

#endif
