/* A schedule made before the run by list scheduling: each task in turn goes to the worker where it ends first. For
 * policies that plan ahead (HEFT, Topcuoglu, Hariri, Wu 2002; the greedy HEFT of Beaumont et al. 2016, HiPC).
 *
 * In the plan, a task can start on a worker once its predecessors have ended and its data are in the worker's memory
 * (planned_copies.h). Ties: the first worker. Tasks that reductions append are not in the plan. */
#ifndef TILEWRIGHT_LIST_PLAN_H
#define TILEWRIGHT_LIST_PLAN_H

#include <tilewright/sched.h>

enum tw_list_order {
	TW_LIST_AS_GIVEN, /* places tasks in the order that the caller gives */
	TW_LIST_AS_READY, /* places tasks by the date when they are ready; ties: the given order */
	/* At each date, places ready tasks in the given order on workers that are idle at that date. */
	TW_LIST_ON_IDLE,
};

struct tw_list_plan {
	tw_worker *worker;   /* [tasks] the worker of each task; tw_n_workers(): a task of another domain */
	double *start, *end; /* [tasks] planned start and end of each task, in seconds from the begin of the run */
};

/* How the planner chooses the next task and its place. */
struct tw_list_rules {
	enum tw_list_order order;
	bool insertion; /* tasks may go into gaps between tasks placed before; no effect with TW_LIST_ON_IDLE */
	/* [tasks * runs of tw_worker_runs] a task goes where the sum of its end and of this number is least, in whole
	 * nanoseconds; NULL: 0 */
	const double *beyond;
	const tw_worker *only; /* [tasks] the only worker that may run the task; TW_NONE, or NULL: any worker */
	/* A task goes where the last of its successors would end first, if the successors were placed next, in the
	 * given order, each where it ends first. Ties, and tasks without successors: where the task ends first. Of the
	 * workers of one arch and memory, only the one where the task ends first is tried. Predecessors of a successor
	 * that are not placed yet do not count. */
	bool looks_ahead;
};

/* Makes the plan. `order`: all tasks of the graph. Of the tasks whose predecessors are all placed, the first one of the
 * order is placed next. The plan tries each task on each worker, with a search among the worker's gaps. With
 * TW_LIST_ON_IDLE, it does so at each date when a worker ends a task; with looks_ahead, it tries all successors, too.
 * All memory is that of the run. */
struct tw_list_plan tw_list_plan_make(const struct tw_sched *, const tw_task *order, const struct tw_list_rules *);

/* Several plans of one graph, one after the other, in the memory of one. The rules must outlive the planner. Not for
 * rules that look ahead. tw_list_planner_make fills a plan of tw_list_plan_alloc, and returns the last end of
 * this policy's tasks. */
struct tw__list_planner;
struct tw__list_planner *tw_list_planner_open(const struct tw_sched *, const struct tw_list_rules *);
struct tw_list_plan tw_list_plan_alloc(const struct tw_sched *);
double tw_list_planner_make(struct tw__list_planner *, const tw_task *order, struct tw_list_plan *);
void tw_list_planner_close(struct tw__list_planner *);

#endif
