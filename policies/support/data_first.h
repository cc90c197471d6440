/* Data first: what the policies darts and data_first have in common. A processing unit that has nothing planned looks for the data
 * whose loading would let it compute the longest for the time of the transfer, and plans all tasks that this data frees
 * (Gonthier, Thibault, Marchal 2024, Algorithm 3 and sections 5.2 to 5.4: policies/darts.c; what departs from it:
 * policies/data_first.c). Such a policy's state is a struct tw_data_first, and its functions are those below. */
#ifndef TILEWRIGHT_DATA_FIRST_H
#define TILEWRIGHT_DATA_FIRST_H

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/data_deal.h"
#include "policies/support/data_table.h"
#include "policies/support/data_waiting.h"
#include "policies/support/spare_cores.h"

enum { TW_DATA_FIRST_UNITS = 1024 }; /* as many memories as a run can have */

struct tw_data_first_rules {
	int64_t buffer; /* tasks of taskBuffer beyond the pipelines */
	bool by_count;  /* data go by how many tasks they free, else by Algorithm 3's ratio */
	bool to_fewest; /* a task that is free on several units goes to that with the fewest queued tasks; else to who ends it first */
	int64_t few; /* data_first: the rules of that name */
	bool leaves;
	bool by_urgency; /* of what is planned: the most urgent first, if its data are there; else the oldest */
};

struct tw_data_first_unit {
	struct tw_task_queue planned; /* by urgency, or (darts) first in, first out */
	struct tw_task_queue buffer;  /* first in, first out */
};

struct tw_data_first {
	struct tw_data_first_rules rules;
	struct tw_data_table table;
	struct tw_data_waiting waiting;
	struct tw_data_deal deal; /* of `ready`, by urgency */
	struct tw_task_link *links;
	struct tw_data_first_unit units[TW_DATA_FIRST_UNITS];
	struct tw_task_queue ready;  /* by priority */
	tw_task *chosen;             /* room for an S0 */
	int n_workers;               /* of all units */
	tw_task n_tasks;             /* pushed and not popped */
	int64_t ready_ns;            /* of all ready tasks */
	bool urgency_counts;         /* also where many tasks are ready */
	struct tw_spare_cores cores; /* the ready tasks once more */
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
