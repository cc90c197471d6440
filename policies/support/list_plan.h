/* A schedule made before the run by list scheduling: tasks one after the other, each on the worker where it ends first. A help
 * for policies that plan ahead (HEFT, Topcuoglu, Hariri, Wu 2002; the greedy one of Beaumont et al. 2016, HiPC).
 *
 * A task can start on a worker once its predecessors have ended and its data are in the worker's memory. Where there is no copy
 * yet, one comes from the memory from which it arrives first; it then stays, for tasks that read it later. Memories are taken
 * to be unbounded, links to be free. Ties: the first worker. Tasks that reductions append are not in it. */
#ifndef TILEWRIGHT_LIST_PLAN_H
#define TILEWRIGHT_LIST_PLAN_H

#include <tilewright/sched.h>

enum tw_list_order {
	TW_LIST_AS_GIVEN, /* tasks are placed in the order given */
	TW_LIST_AS_READY, /* as they will be ready; of those of one date, as given */
	TW_LIST_ON_IDLE, /* from date to date, as given among those that are ready, and each on a worker that is idle then */
};

struct tw_list_plan {
	tw_worker *worker;   /* [tasks] */
	double *start, *end; /* [tasks] in seconds */
};

/* `order`: all tasks of the graph, none before its predecessors. `insertion`: tasks may go into gaps between tasks placed before
 * (without effect on TW_LIST_ON_IDLE). Each task is tried on each worker, which is a search among the worker's gaps; on idle ones
 * also at each date, on which the workers end something. TW_NOMEM: nothing is left allocated. */
int tw_list_plan_make(struct tw_list_plan *, const struct tw_sched *, const tw_task *order, enum tw_list_order,
                      bool insertion);
void tw_list_plan_finish(struct tw_list_plan *); /* also of a zeroed one */

#endif
