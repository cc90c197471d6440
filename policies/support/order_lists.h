/* Task lists made before the run, one for each memory whose workers take part. They are for policies that put tasks
 * into an order without regard to dependencies.
 *
 * Each memory of an accelerator has a list. Without accelerators, one list is for all processors. With accelerators,
 * processors have a list too, but only of the tasks that no accelerator can run. A worker takes the first ready task of
 * its memory's list that it can run. If the policy sets `readiest`, it takes the first of those that lack the fewest
 * bytes (Ready of Gonthier et al. 2024, Algorithm 2). An accelerator with an empty list steals the second half of the
 * longest list. A task that a reduction appends runs at once on the worker that released it, or on the next worker that
 * can run it. The lists are also a plan (plan.h), so that eviction policies can look ahead. */
#ifndef TILEWRIGHT_ORDER_LISTS_H
#define TILEWRIGHT_ORDER_LISTS_H

#include <tilewright/containers.h>
#include <tilewright/params.h>

#include "policies/support/lacks.h"
#include "policies/support/packing.h"
#include "policies/support/plan.h"
#include "policies/support/worker_queues.h"

struct tw_order_list {
	tw_node node;
	struct tw_id_set workers; /* the workers of the memory node */
	tw_worker *examples;      /* [n_examples] one worker of each arch of the node */
	int n_examples;
	tw_task *tasks;                 /* [end] the tasks by place in the list; some of them have left the list */
	uint64_t *ready;                /* one bit per place: whether the task there is ready */
	struct tw_lacks_group by_lacks; /* with `readiest`: the ready tasks, sorted by the bytes that they lack */
	int32_t end;                    /* number of places of `tasks` in use */
	int32_t first;                  /* no task at a place before this one is ready */
	int32_t left;                   /* number of tasks still in the list */
	int32_t n_ready;                /* number of bits that are set in `ready` */
};

struct tw_order_lists {
	int n;       /* number of lists that the policy fills, numbered from 0 */
	int n_lists; /* number of all lists: n, plus 1 for the list of tasks that no accelerator can run */
	struct tw_order_list *of;
	int *list_of;        /* [nodes] first list of each memory node; TW_NONE: the node has no list */
	tw_worker *examples; /* [n_examples] one worker of each arch that takes from the first n lists */
	int n_examples;
	int32_t *list, *place; /* [tasks] list of the task, TW_NONE once it has left; place of the task in the list */
	tw_task n_tasks;       /* number of tasks of the graph, without those that reductions append */
	tw_task n_ready;       /* number of tasks pushed and not popped */
	/* The policy may set it: workers then take the task that lacks the fewest bytes; initially false. */
	bool readiest;
	int64_t steals;
	struct tw_worker_queues appended;
	struct tw_plan plan;
	struct tw_lacks lacks;
};

void tw_order_lists_init(struct tw_order_lists *, struct tw_sched *); /* initialises empty lists */

/* Returns the predicted seconds of the task on the fastest worker of the list; INFINITY: its workers cannot run the
 * task. */
double tw_order_lists_seconds(const struct tw_order_lists *, const struct tw_sched *, int list, tw_task);

/* Appends a task of the graph to the list, before the run. If the workers of the list cannot run the task, appends it
 * to the first list whose workers can. */
void tw_order_lists_append(struct tw_order_lists *, const struct tw_sched *, int list, tw_task);

/* Parameters of policies that pack tasks; tw_order_lists_pack() reads them. */
extern const struct tw_param tw_packing_params[];

/* Packs n tasks, given in ascending order, into `packages` packages (packing.h), before the run. The size limit of
 * packages is the smallest memory of the first n lists. Appends each package to a list: the first package to `list`,
 * the next to the list after it, and so on. */
void tw_order_lists_pack(struct tw_order_lists *, const struct tw_sched *, const struct tw_sharing *,
                         const tw_task *tasks, tw_task n, int list, int32_t packages);

/* Returns, before the run, the tasks that workers of the lists 0 to tw_order_lists.n - 1 can run. They are in ascending
 * order, and `*n` is their number. Appends all other tasks to the list of tasks that no accelerator can run. The caller
 * frees the array. */
tw_task *tw_order_lists_tasks(struct tw_order_lists *, const struct tw_sched *, tw_task *n);

/* Fills parts[] with the part of all work that each list should take. It is proportional to the speed of the list's
 * workers, the inverse of their time for all tasks. The parts of all lists add up to 1. */
void tw_order_lists_shares(const struct tw_order_lists *, const struct tw_sched *, double *parts);
/* Returns the work of the task: its seconds on the fastest worker of the first n lists; 0: they cannot run it. */
double tw_order_lists_work(const struct tw_order_lists *, const struct tw_sched *, tw_task);

/* Makes an order of all tasks, from the data that they share, and cuts it into contiguous parts, one for each list,
 * before the run. Parts are in proportion to tw_order_lists_shares(). */
void tw_order_lists_deal(struct tw_order_lists *, const struct tw_sched *, tw_sharing_order *);

/* Balances the lists before the run. Moves tasks from the end of the list with the longest predicted time to the list
 * with the shortest. Stops when one of the two reaches the mean. Repeats this while it helps. */
void tw_order_lists_balance(struct tw_order_lists *, const struct tw_sched *);

/* Members of struct tw_policy, if the state of the policy is a struct tw_order_lists. The function
 * tw_order_lists_finish reports the counter `steals`: how often a GPU stole tasks. */
#define TW_ORDER_LISTS_MEMBERS                                                                               \
	.state_size = sizeof(struct tw_order_lists), .flags = TW_PLANS_ALL, .finish = tw_order_lists_finish, \
	.push = tw_order_lists_push, .pop = tw_order_lists_pop, .pops_in_vain = tw_order_lists_pops_in_vain, \
	.done = tw_order_lists_done, .planned_use = tw_order_lists_planned_use
void tw_order_lists_push(struct tw_sched *, void *lists, tw_task, tw_worker released_by);
tw_task tw_order_lists_pop(struct tw_sched *, void *lists, tw_worker);
uint64_t tw_order_lists_pops_in_vain(struct tw_sched *, void *lists, tw_worker first, uint64_t who);
void tw_order_lists_done(struct tw_sched *, void *lists, tw_task, tw_worker);
struct tw_planned_use tw_order_lists_planned_use(struct tw_sched *, void *lists, tw_data, tw_node);
void tw_order_lists_finish(struct tw_sched *, void *lists);

#endif
