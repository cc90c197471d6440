/* The run of a plan that was made before the run (list_plan.h), for static policies: HEFT and its relatives. The state
 * of such a policy begins with a struct tw_planned_lists. The members of its struct tw_policy are the functions below.
 *
 * During the run, each worker runs its tasks in the planned order, but not at the planned dates. With a submission
 * window (runtime parameter window) or reductions, each worker runs its tasks in the order of submission instead. The
 * planned order could deadlock there: a worker could wait for a task that depends on a later task in the worker's own
 * list. If tasks depend on tasks of another policy, each worker runs the first ready task of its list, as two planned
 * orders could wait for each other. A task that a reduction appends runs on the worker that released it, or on the next
 * worker that can run it. */
#ifndef TILEWRIGHT_PLANNED_LISTS_H
#define TILEWRIGHT_PLANNED_LISTS_H

#include "policies/support/list_plan.h"
#include "policies/support/plan.h"
#include "policies/support/task_lists.h"
#include "policies/support/worker_queues.h"

struct tw_planned_lists {
	tw_task n_tasks;            /* number of tasks of the graph, without those that reductions append */
	struct tw_task_lists lists; /* the planned tasks of each worker, one list per worker */
	struct tw_plan plan;
	struct tw_worker_queues appended;
};

/* Makes the plan by these rules, and the list of each worker. `order`: all tasks of the graph, as tw_list_plan_make
 * takes them; it is sorted anew. */
void tw_planned_lists_make(struct tw_planned_lists *, struct tw_sched *, tw_task *order, const struct tw_list_rules *);
/* Makes the lists of a plan that exists. Starts in the plan may change. */
void tw_planned_lists_follow(struct tw_planned_lists *, struct tw_sched *, tw_task *order, const struct tw_list_plan *);

/* Members of the struct tw_policy of a policy whose state is a struct tw_planned_lists. */
#define TW_PLANNED_LISTS_MEMBERS                                                                    \
	.abi = TW_POLICY_ABI, .state_size = sizeof(struct tw_planned_lists), .flags = TW_PLANS_ALL, \
	.push = tw_planned_lists_push, .pop = tw_planned_lists_pop, .done = tw_planned_lists_done,  \
	.planned_use = tw_planned_lists_use

void tw_planned_lists_push(struct tw_sched *, void *lists, tw_task, tw_worker released_by);
tw_task tw_planned_lists_pop(struct tw_sched *, void *lists, tw_worker);
void tw_planned_lists_done(struct tw_sched *, void *lists, tw_task, tw_worker);
struct tw_planned_use tw_planned_lists_use(struct tw_sched *, void *lists, tw_data, tw_node);

#endif
