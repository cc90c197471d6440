/* Data first: the common code of the policies darts and data_first. A processing unit with no planned task chooses
 * the handle whose loading enables the most computation per second of transfer. It plans all tasks that this handle
 * frees. The paper is Gonthier, Thibault, Marchal 2024, Algorithm 3 and sections 5.2 to 5.4: policies/darts.c.
 * policies/data_first.c lists the departures from it. The state of such a policy is a struct tw_data_first, and its
 * members are the functions below. */
#ifndef TILEWRIGHT_DATA_FIRST_H
#define TILEWRIGHT_DATA_FIRST_H

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/data_deal.h"
#include "policies/support/data_table.h"
#include "policies/support/data_waiting.h"
#include "policies/support/spare_cores.h"

enum { TW_DATA_FIRST_UNITS = 1024 }; /* the maximum number of memories of a run */

struct tw_data_first_rules {
	int64_t buffer; /* tasks in taskBuffer beyond the pipelines */
	bool by_count;  /* choose the handle that frees the most tasks; else by Algorithm 3's ratio */
	/* A task free on several units goes to the one with the fewest queued tasks; else to the soonest end. */
	bool to_fewest;
	int64_t few; /* with leaves and by_urgency: rules of data_first (policies/data_first.c) */
	bool leaves;
	bool by_urgency; /* planned tasks go by priority, if their data have arrived; else the oldest first */
};

struct tw_data_first_unit {
	struct tw_task_queue planned; /* by urgency, or in darts first in, first out */
	struct tw_task_queue buffer;  /* first in, first out */
};

struct tw_data_first {
	struct tw_data_first_rules rules;
	struct tw_data_table table;
	struct tw_data_waiting waiting;
	struct tw_data_deal deal; /* deals of the tasks in `ready` */
	struct tw_task_link *links;
	struct tw_data_first_unit units[TW_DATA_FIRST_UNITS];
	struct tw_task_queue ready;  /* by priority */
	tw_task *chosen;             /* scratch with room for an S0 */
	int n_workers;               /* workers of all units */
	tw_task n_tasks;             /* tasks pushed and not popped */
	int64_t ready_ns;            /* time of all ready tasks */
	bool urgency_counts;         /* data_first chooses by urgency even if many tasks are ready */
	struct tw_spare_cores cores; /* a second index of the ready tasks */
};

int tw_data_first_init(struct tw_sched *, void *state, const struct tw_data_first_rules *, struct tw_error *err);
void tw_data_first_finish(struct tw_sched *, void *state);
void tw_data_first_push(struct tw_sched *, void *state, tw_task, tw_worker released_by);
tw_task tw_data_first_pop(struct tw_sched *, void *state, tw_worker);
uint64_t tw_data_first_pops_in_vain(struct tw_sched *, void *state, tw_worker first, uint64_t who);
void tw_data_first_done(struct tw_sched *, void *state, tw_task, tw_worker);
void tw_data_first_data_loaded(struct tw_sched *, void *state, tw_data, tw_node);
void tw_data_first_data_evicted(struct tw_sched *, void *state, tw_data, tw_node);
struct tw_planned_use tw_data_first_planned_use(struct tw_sched *, void *state, tw_data, tw_node);

#endif
