/* The planner of list_plan.h. list_plan.c chooses the next task, and list_place.c places it. */
#ifndef TILEWRIGHT_LIST_PLANNER_H
#define TILEWRIGHT_LIST_PLANNER_H

#include <tilewright/containers.h>

#include "policies/support/edge_costs.h"
#include "policies/support/gap_tree.h"
#include "policies/support/list_plan.h"
#include "policies/support/planned_copies.h"

/* Tasks that are placed for trial: the task at hand, and its successors behind it. */
struct tw__list_trials {
	double *arrival;             /* [nodes] date when the data of a successor can be on the node */
	double *after;               /* [tasks] greatest end of the predecessors that are placed for trial */
	tw_task *successors;         /* [most successors] those of the task at hand, in the planner's order */
	struct tw_planned_end *ends; /* [n] */
	struct tw_gap_trial *gaps;   /* [n] */
	int *runs;                   /* [n] the run of workers of each trial */
	int n;                       /* at most 1 + most successors */
	struct tw_writers writers;
	bool *placed; /* [tasks] */
	int *end_of;  /* [tasks] index in `ends` of a task that is placed for trial, + 1; else 0 */
	int *version; /* [most accesses] as tw_planned_copies_arrivals_behind takes it */
};

/* Dates in the planner are whole nanoseconds, as in planned_copies.h. */
struct tw__list_planner {
	const struct tw_sched *s;
	tw_task n_tasks;
	const struct tw_list_rules *rules;
	struct tw_list_plan *plan;
	struct tw_planned_copies copies;
	double *arrival;                /* [nodes] date when the data of the task being placed can be on the node */
	struct tw__list_trials *trials; /* with looks_ahead; else NULL */
	struct tw_worker_run *runs;
	/* [runs] the idle gaps of the workers of each run: neighbours of one arch and memory */
	struct tw_gap_tree *gaps;
	int n_runs;
	int64_t looks; /* number of workers that tasks were tried on */
	/* Heaps hold the places of tasks in the given order, not the tasks. So ties go to the first task of the
	 * order. */
	const tw_task *order;   /* [places] the tasks in the given order */
	tw_task *place_of;      /* [tasks] place of each task in `order` */
	tw_task *missing;       /* [tasks] number of predecessors of the task that are not placed yet */
	double *after;          /* [tasks] greatest planned end of the predecessors placed so far, or arrival */
	struct tw_id_heap next; /* tasks whose predecessors are all placed; the next to place on top */
	/* Used with TW_LIST_ON_IDLE: sorts of tasks. The tasks of one sort can run on the same archs. */
	int n_sorts;
	int *sort_of;             /* [tasks] sort of each task */
	tw_task *example;         /* [sorts] one task of each sort */
	struct tw_id_heap *ready; /* [sorts] ready tasks of each sort */
};

/* --- list_place.c ------------------------------------------------------------------------------------------------- */

/* Places a task, not before the date `after`, among the workers that stay idle from `idle_at` or earlier. One of these
 * workers must be able to run the task. */
void tw__list_place(struct tw__list_planner *, tw_task, double after, double idle_at);
/* Returns the least date from which some worker of the run of workers stays idle. */
double tw__list_last_end(const struct tw__list_planner *, int run);
struct tw__list_trials *tw__list_trials_make(const struct tw_sched *);

#endif
