/* Task lists made before the run, one for each memory whose workers take part. They are for policies that put tasks
 * into an order without regard to dependencies.
 *
 * Lists belong to the memories of accelerators. Without accelerators, one list is for all processors. With
 * accelerators, processors have a list too; it has only the tasks that no accelerator can run. A worker takes the
 * first ready task of its memory's list that it can run. If the policy sets `readiest`, it takes the first of those
 * that lack the fewest bytes (Ready of Gonthier et al. 2024, Algorithm 2). An accelerator with an empty list steals
 * the second half of the longest list. A task that a reduction appends runs at once on the worker that released it,
 * or on the next that can run it. The lists are also a plan (plan.h), so that eviction policies can look ahead. */
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
	struct tw_id_set workers; /* workers of the node */
	tw_worker *examples;      /* one worker of each arch of the node */
	int n_examples;
	tw_task *tasks;                 /* by place; some have left the list */
	uint64_t *ready;                /* one bit per place: its task is ready */
	struct tw_lacks_group by_lacks; /* ready tasks, with `readiest` */
	int32_t end;                    /* number of places used */
	int32_t first;                  /* no task before this place is ready */
	int32_t left;                   /* tasks still in the list */
};

struct tw_order_lists {
	int n;       /* number of lists to fill, numbered from 0 */
	int n_lists; /* the same plus the list of tasks that no accelerator can run */
	struct tw_order_list *of;
	int *list_of;        /* [nodes] first list of the node; TW_NONE */
	tw_worker *examples; /* one worker of each arch of the lists to fill */
	int n_examples;
	int32_t *list, *place; /* [tasks] of the graph; list: TW_NONE when the task has left */
	tw_task n_tasks;       /* of the graph */
	tw_task n_ready;       /* pushed and not popped */
	bool readiest;         /* set by the policy; initially false */
	int64_t steals;
	struct tw_worker_queues appended;
	struct tw_plan plan;
	struct tw_lacks lacks;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_order_lists_init(struct tw_order_lists *, const struct tw_sched *, struct tw_error *err);
void tw_order_lists_free(struct tw_order_lists *);

/* Predicted seconds of the task on the workers of the list; INFINITY: they cannot run it. */
double tw_order_lists_seconds(const struct tw_order_lists *, const struct tw_sched *, int list, tw_task);

/* Before the run: appends a task of the graph to the list or, if it cannot run there, to the first list where it can.
 * TW_NOMEM. */
int tw_order_lists_append(struct tw_order_lists *, const struct tw_sched *, int list, tw_task);

/* Parameters of policies that pack tasks. */
#define TW_PACKING_PARAMS                                                               \
	{"ready",                                                                       \
	 TW_PARAM_FLAG,                                                                 \
	 "yes",                                                                         \
	 0,                                                                             \
	 0,                                                                             \
	 NULL,                                                                          \
	 "take the first task of the list that lacks the fewest bytes; no: the first"}, \
	{                                                                               \
		"flip", TW_PARAM_FLAG, "yes", 0, 0, NULL,                               \
			"reverse packages so that ends that share most meet; no: never" \
	}

/* Before the run: packs n tasks, in ascending order, into so many packages (packing.h). The size limit is the
 * smallest memory of the lists to fill. Appends each package to a list: the first to `list`, the next to the list
 * after it, and so on. Reads TW_PACKING_PARAMS. TW_NOMEM. */
int tw_order_lists_pack(struct tw_order_lists *, const struct tw_sched *, const struct tw_sharing *,
                        const tw_task *tasks, tw_task n, int list, int32_t packages);

/* Before the run: returns the tasks, ascending, that can run on the workers of the lists to fill. Appends all others
 * to the list of tasks that no accelerator can run. malloc'ed, the caller frees it; NULL: out of memory. */
tw_task *tw_order_lists_tasks(struct tw_order_lists *, const struct tw_sched *, tw_task *n);

/* The part of all work that each list should take: in proportion to the speed of its memory's workers. The speed is
 * the inverse of their time for all tasks. The parts of all lists add up to 1. */
void tw_order_lists_shares(const struct tw_order_lists *, const struct tw_sched *, double *parts);
/* The work of the task: seconds on the fastest worker of the lists to fill. */
double tw_order_lists_work(const struct tw_order_lists *, const struct tw_sched *, tw_task);

/* Before the run: cuts an order of all tasks into contiguous parts, one for each list, in proportion to
 * tw_order_lists_shares(). TW_NOMEM. */
int tw_order_lists_deal(struct tw_order_lists *, const struct tw_sched *, const tw_task *order);

/* Before the run: moves tasks from the end of the list with the longest predicted time to the list with the shortest,
 * until one of the two reaches the mean. Repeats this while it helps. TW_NOMEM. */
int tw_order_lists_balance(struct tw_order_lists *, struct tw_sched *);

/* Members of struct tw_policy, for policies whose state is only such lists. finish reports the counter `steals`. */
void tw_order_lists_push(struct tw_sched *, void *lists, tw_task, tw_worker released_by);
tw_task tw_order_lists_pop(struct tw_sched *, void *lists, tw_worker);
uint64_t tw_order_lists_pops_in_vain(struct tw_sched *, void *lists, tw_worker first, uint64_t who);
void tw_order_lists_done(struct tw_sched *, void *lists, tw_task, tw_worker);
struct tw_planned_use tw_order_lists_planned_use(struct tw_sched *, void *lists, tw_data, tw_node);
void tw_order_lists_finish(struct tw_sched *, void *lists);

#endif
