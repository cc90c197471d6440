/* Tasks: submission, release and end, the data that they need, reductions. */
#ifndef TW__TASKS_H
#define TW__TASKS_H

#include "runtime/state/state.h"

/* task.c */
tw__ns tw__submit(
	struct tw_sched
		*); /* submits tasks until a step costs time, and returns the cost; negative: it waits or has ended */
void tw__task_assigned(struct driver *, struct hold *);
void tw__task_end(struct driver *, struct hold *);
bool tw__task_release_next(struct driver *); /* the next successor that becomes ready -> driver->pushing */
bool tw__task_has_hint(struct driver *);     /* the task wrote a handle last: driver->hint is that access */
void tw__task_take_hint(struct driver *);
void tw__task_push(struct tw_sched *, tw_task, tw_worker released_by);
void tw__task_cancel(struct driver *, struct hold *); /* the first held task, whose kernel has stopped */

/* fetch.c */
void tw__fetch_resolve(struct tw_sched *, struct hold *); /* hold->access */
void tw__fetch_access(struct tw_sched *, struct hold *, int index);
bool tw__fetch_settled(struct tw_sched *, struct hold *); /* all inputs are there, and no request needs an old value */
void tw__fetch_own(struct tw_sched *, struct hold *);     /* after that: its memory owns the written handles */
/* Lists the accesses of the held task in the graph's order, each with its present offset. Returns their number. */
int tw__fetch_placed(const struct tw_sched *, const struct hold *, struct tw__placed *access);

/* reduce.c */
int tw__reduce_open(struct tw_sched *);
void tw__reduce_close(struct tw_sched *);
/* The access to the worker's accumulator: TW_W | TW_REDUX. Contributors read it too, but for the first one. */
tw__access tw__reduce_access(const struct tw_sched *, tw__access, tw_worker);
void tw__reduce_ended(struct tw_sched *, struct hold *); /* its writes are committed */

#endif
