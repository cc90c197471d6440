/* Lists of tasks that are made before the run, one for each memory whose workers take part: a help for policies that put
 * tasks, of which they take no notice how they depend on each other, into an order.
 *
 * Lists are for the memories of accelerators; without accelerators there is one, for all processors. Processors beside
 * accelerators take nothing but what no accelerator can run, which has a list of its own. A worker takes the first task of
 * its memory's list that is ready and that it can run, or, where the policy wants it, the readiest: the first of those
 * that lack the fewest bytes (Ready of Gonthier et al. 2024, Algorithm 2). When an accelerator's list is empty, it steals the second
 * half of the longest one. Tasks that reductions append go where the last of their inputs came from, at once.
 * The lists are a plan (plan.h), too: eviction policies can look ahead. */
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
	struct tw_id_set workers; /* of its node */
	tw_worker *examples;      /* of its node, one of each arch */
	int n_examples;
	tw_task *tasks;                 /* by place; some have gone */
	uint64_t *ready;                /* a bit for each place */
	struct tw_lacks_group by_lacks; /* ready tasks, if the readiest is looked for */
	int32_t end;                    /* places in use */
	int32_t first;                  /* nobody is ready before this place */
	int32_t left;                   /* tasks that have not gone */
};

struct tw_order_lists {
	int n;       /* lists to fill, numbered from 0 */
	int n_lists; /* with that of what no accelerator can run */
	struct tw_order_list *of;
	int *list_of;        /* [nodes] the first list there; TW_NONE */
	tw_worker *examples; /* one of each arch of the lists to fill */
	int n_examples;
	int32_t *list, *place; /* [tasks] of the graph; list: TW_NONE of those that have gone */
	tw_task n_tasks;       /* of the graph */
	tw_task n_ready;       /* pushed and not popped */
	bool readiest;         /* the policy's choice, no at first */
	int64_t steals;
	struct tw_worker_queues appended;
	struct tw_plan plan;
	struct tw_lacks lacks;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_order_lists_init(struct tw_order_lists *, const struct tw_sched *, struct tw_error *err);
void tw_order_lists_free(struct tw_order_lists *);

/* Predicted time of the task where the list is for; INFINITY: it cannot run there. */
double tw_order_lists_seconds(const struct tw_order_lists *, const struct tw_sched *, int list, tw_task);

/* Before the run: puts a task of the graph behind all others of the list, or, if it cannot run there, behind those of the
 * first list where it can. TW_NOMEM. */
int tw_order_lists_append(struct tw_order_lists *, const struct tw_sched *, int list, tw_task);

/* Rows of the table of parameters of a policy that packs. */
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

/* Before the run: packs n tasks, ascending, into so many packages (packing.h), for the smallest memory of the lists to fill, and
 * puts each behind all others of a list, the first into `list`, the next into that behind it, and so on. Reads those
 * parameters. TW_NOMEM. */
int tw_order_lists_pack(struct tw_order_lists *, const struct tw_sched *, const struct tw_sharing *,
                        const tw_task *tasks, tw_task n, int list, int32_t packages);

/* Before the run: the tasks, ascending, that can run where the lists to fill are for; the others are put into the list that
 * is for them. malloc'ed, the caller's; NULL: out of memory. */
tw_task *tw_order_lists_tasks(struct tw_order_lists *, const struct tw_sched *, tw_task *n);

/* How great a part of all work a list is to take: as its memory's workers are fast, measured by the time that it would take
 * for all tasks. The parts, of n, add up to 1. */
void tw_order_lists_shares(const struct tw_order_lists *, const struct tw_sched *, double *parts);
/* What the task counts as work: seconds on the fastest of them. */
double tw_order_lists_work(const struct tw_order_lists *, const struct tw_sched *, tw_task);

/* Before the run: cuts an order of all tasks into a part for each list, one behind the other, of about the same predicted
 * time. TW_NOMEM. */
int tw_order_lists_deal(struct tw_order_lists *, const struct tw_sched *, const tw_task *order);

/* Before the run: tasks from the end of the list that takes longest, by prediction, go to the one that takes least, until
 * one of the two takes as long as the mean, and so on. TW_NOMEM. */
int tw_order_lists_balance(struct tw_order_lists *, struct tw_sched *);

/* The functions of these names of a policy whose state is such lists and nothing more. finish reports the counter `steals`. */
void tw_order_lists_push(struct tw_sched *, void *lists, tw_task, tw_worker released_by);
tw_task tw_order_lists_pop(struct tw_sched *, void *lists, tw_worker);
uint64_t tw_order_lists_pops_in_vain(struct tw_sched *, void *lists, tw_worker first, uint64_t who);
void tw_order_lists_done(struct tw_sched *, void *lists, tw_task, tw_worker);
struct tw_planned_use tw_order_lists_planned_use(struct tw_sched *, void *lists, tw_data, tw_node);
void tw_order_lists_finish(struct tw_sched *, void *lists);

#endif
