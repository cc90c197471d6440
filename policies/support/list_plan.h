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

/* Makes the plan. `order`: all tasks of the graph, predecessors before successors. `insertion`: tasks may go into gaps
 * between tasks placed before; no effect with TW_LIST_ON_IDLE. The plan tries each task on each worker, with a search
 * among the worker's gaps. With TW_LIST_ON_IDLE, it does so at each date when a worker ends a task. All memory is that
 * of the run. */
struct tw_list_plan tw_list_plan_make(const struct tw_sched *, const tw_task *order, enum tw_list_order,
                                      bool insertion);

#endif
