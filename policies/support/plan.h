/* Plans: for each memory node, the tasks that its workers are to run, their order, and the data that they use. Policies
 * that plan ahead use a plan to answer `planned_use` of struct tw_policy. A task is in the order of at most one node,
 * from when it is planned until it is done; it may be withdrawn earlier.
 *
 * Accesses to the same handle in the same order are linked, so an answer is O(1). Planning a task at either end of an
 * order, taking it, and ending it are O(1) per access. Planning in the middle of an order also walks through the later
 * uses of the task's handles there. Contributors to a reduction use its accumulators, not the handle. A plan does not
 * know which worker's accumulator a contributor will use, so it counts the contributor for all of them. */
#ifndef TILEWRIGHT_PLAN_H
#define TILEWRIGHT_PLAN_H

#include <tilewright/policy.h>

enum tw_plan_state { TW_NOT_PLANNED, TW_PLANNED, TW_TAKEN };

struct tw_planned_task {
	/* Rises along the order. Numbers between two places are free, for insertions; when none is left, all places
	 * change. */
	int64_t place;
	tw_task ahead, behind; /* neighbouring tasks in the order of the node; TW_NONE at the ends */
	uint32_t uses;         /* index in tw_plan.uses of the task's first use; 0: the task is not planned */
	int16_t node;
	uint8_t state; /* enum tw_plan_state: whether the task is planned, taken, or none of these */
};

struct tw_plan_use {
	tw_task task;
	uint32_t ahead, behind; /* previous and next use of the same handle in the same order; 0 at the ends */
};

struct tw_plan_ends {
	uint32_t first, last; /* indexes in tw_plan.uses of the first and the last use; 0: the handle has no use */
};

struct tw_plan_order {
	tw_task first, last;
	int32_t n_planned; /* number of tasks in the order that are planned and not taken */
};

struct tw_plan {
	const struct tw_sched *s;
	struct tw_planned_task *tasks; /* [tasks] where and whether each task is planned; NULL: the plan is not kept */
	struct tw_plan_order *orders;  /* [nodes] the order of each memory node */
	/* [node * n_data + data] the planned uses of the handle on the node; `next` is the place of the first task */
	struct tw_planned_use *of_data;
	struct tw_plan_ends *ends; /* [node * n_data + data] ends of the list of these uses */
	/* The uses of each planned task, one per access, in the order of accesses; index 0 means no use. */
	struct tw_plan_use *uses;
	size_t n_uses, capacity;
	/* [accesses] free uses of tasks with so many accesses: the first use of the first task, linked by `behind` */
	uint32_t *free_uses;
	tw_data n_data, first_accumulator;
};

/* Initialises an empty plan, in memory of the run. */
void tw_plan_init(struct tw_plan *, const struct tw_sched *);
/* As tw_plan_init, for a plan that only answers `planned_use`. The plan is not kept if the run's eviction policy does
 * not ask: its functions do nothing then. */
void tw_plan_init_if_read(struct tw_plan *, const struct tw_sched *);

/* Plans a task that is not planned yet. The function tw_plan_append plans it at the end of the node's order. The
 * function tw_plan_insert plans it right behind the task `ahead` of that order; TW_NONE: at the front. */
void tw_plan_append(struct tw_plan *, const struct tw_sched *, tw_task, tw_node);
void tw_plan_insert(struct tw_plan *, const struct tw_sched *, tw_task, tw_node, tw_task ahead);

/* Removes a task that is done, or withdraws it. Does nothing if the task is not planned. */
void tw_plan_remove(struct tw_plan *, const struct tw_sched *, tw_task);

/* Notes that a worker of the node has popped the task, which may be anywhere in the node's order. If the task was
 * planned for another node, or not at all, it now becomes the first of the node's order. */
void tw_plan_take(struct tw_plan *, const struct tw_sched *, tw_task, tw_node);

/* Returns the index in `of_data` and `ends` of a handle on a node. */
static inline size_t tw_plan_index(const struct tw_plan *p, tw_data d, tw_node node)
{
	return (size_t)node * (size_t)p->n_data + (size_t)d;
}

/* Returns `use`, which has the uses of the accumulator, plus those by contributors, which are counted with the first
 * worker's accumulator. */
struct tw_planned_use tw__plan_add_uses(const struct tw_plan *, tw_data accumulator, tw_node, struct tw_planned_use);

/* Returns the answer to `planned_use`. Inlined, because eviction policies compare many handles. */
static inline struct tw_planned_use tw_plan_use(const struct tw_plan *p, tw_data d, tw_node node)
{
	if (!p->tasks)
		return (struct tw_planned_use){.next = TW_NEVER};
	struct tw_planned_use use = p->of_data[tw_plan_index(p, d, node)];
	return d < p->first_accumulator ? use : tw__plan_add_uses(p, d, node, use);
}

/* Shows the plan to eviction policies (tw_show_planned_uses). The policy's `planned_use` must be tw_plan_use on this
 * plan. Does nothing if the run has accumulators, because an answer for them is a sum. */
void tw_plan_show(const struct tw_plan *, struct tw_sched *);

#endif
