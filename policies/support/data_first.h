/* The common code of the policies darts and data_first: Algorithm 3 and sections 5.2 to 5.4 of the paper that
 * policies/darts.c names. The rules that differ from the paper are at the head of policies/data_first.c. The state of
 * such a policy is a struct tw_data_first. */
#ifndef TILEWRIGHT_DATA_FIRST_H
#define TILEWRIGHT_DATA_FIRST_H

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/data_table.h"
#include "policies/support/data_waiting.h"
#include "policies/support/spare_cores.h"

/* The most tasks that a unit examines when it looks for a task that it does not leave to other units. */
enum { TW_MOST_LOOKED_AT = 64 };

struct tw_data_first_rules {
	int64_t buffer; /* number of tasks that each taskBuffer holds, beyond those in the pipelines of workers */
	bool by_count;  /* a unit chooses the handle that frees the most tasks; false: the one with the least ratio */
	/* A task whose inputs several units have goes to the unit with the fewest queued tasks. Without this rule, it
	 * goes to the unit with the soonest predicted end. */
	bool to_fewest;
	/* With several units: units choose by urgency while at most this many tasks per unit are ready. 0: always by
	 * data. */
	int64_t few;
	bool leaves;
	/* Tasks in plannedTasks go by priority, and so do the tasks in taskBuffer whose data have arrived. Without this
	 * rule, the oldest task goes first. */
	bool by_urgency;
};

struct tw_data_first_unit {
	/* plannedTasks of the unit: with by_urgency by priority, otherwise first in, first out */
	struct tw_task_queue planned;
	struct tw_task_queue buffer; /* taskBuffer of the unit: first in, first out */
};

/* Deals ready tasks out to units, one after the other. Each task goes to the unit predicted to end it first, after all
 * tasks that this unit has queued or was dealt before. Each unit that asks gets the same deal, except that it prefers
 * itself in a tie. So the deal is kept until the table changes, and many units can ask for the cost of one. */
struct tw_data_deal {
	int64_t *more_ns; /* [units] time of the tasks dealt to each unit so far */
	uint64_t version; /* value of table->version when the deal was made; the deal holds until that changes */
	int n;
	struct tw_dealt {
		tw_task task;
		int unit;
		int64_t end_ns; /* predicted end of the task on that unit, in nanoseconds from now */
	} dealt[TW_MOST_LOOKED_AT];
};

struct tw_data_first {
	struct tw_data_first_rules rules;
	struct tw_data_table table;
	struct tw_data_waiting waiting;
	struct tw_data_deal deal;         /* deals out the tasks in `ready` to units */
	struct tw_data_first_unit *units; /* [units] */
	int64_t *more_ns;                 /* [units] scratch: what each unit also has to do, in predictions */
	struct tw_task_queue ready;       /* ready tasks that some unit can run, sorted by priority */
	tw_task *chosen;                  /* scratch array with room for all tasks: the tasks that a unit chooses */
	int n_workers;                    /* number of workers that belong to a unit */
	tw_task n_tasks;                  /* number of tasks pushed and not popped */
	int64_t ready_ns;                 /* nanoseconds of all tasks in `ready`, each on its fastest unit */
	/* data_first chooses by urgency even if many tasks are ready: all data fit in each memory */
	bool urgency_counts;
	struct tw_spare_cores cores; /* the ready tasks again, sorted for cores that belong to no unit */
};

void tw_data_first_init(struct tw_sched *, void *state, const struct tw_data_first_rules *);
void tw_data_first_push(struct tw_sched *, void *state, tw_task, tw_worker released_by);
tw_task tw_data_first_pop(struct tw_sched *, void *state, tw_worker);
uint64_t tw_data_first_pops_in_vain(struct tw_sched *, void *state, tw_worker first, uint64_t who);
void tw_data_first_done(struct tw_sched *, void *state, tw_task, tw_worker);
void tw_data_first_data_loaded(struct tw_sched *, void *state, tw_data, tw_node);
void tw_data_first_data_evicted(struct tw_sched *, void *state, tw_data, tw_node);
struct tw_planned_use tw_data_first_planned_use(struct tw_sched *, void *state, tw_data, tw_node);
/* The members of struct tw_policy */
#define TW_DATA_FIRST_MEMBERS                                                                             \
	.state_size = sizeof(struct tw_data_first), .push = tw_data_first_push, .pop = tw_data_first_pop, \
	.pops_in_vain = tw_data_first_pops_in_vain, .done = tw_data_first_done,                           \
	.data_loaded = tw_data_first_data_loaded, .data_evicted = tw_data_first_data_evicted,             \
	.planned_use = tw_data_first_planned_use

#endif
