/* Tasks: submission, release and end, the data that they need, reductions. */
#ifndef TW__TASKS_H
#define TW__TASKS_H

#include "runtime/state/state.h"

/* task.c */
tw__ns tw__submit(
	struct tw_sched *); /* submits until it costs time, and returns that; negative: it has to wait or has ended */
void tw__task_assigned(struct driver *, struct hold *);
void tw__task_end(struct driver *, struct hold *);
bool tw__task_release_next(struct driver *); /* the next successor that becomes ready -> driver->pushing */
bool tw__task_has_hint(struct driver *);     /* it was the last to write a data: driver->hint is that access */
void tw__task_take_hint(struct driver *);
void tw__task_push(struct tw_sched *, tw_task, tw_worker released_by);
void tw__task_cancel(struct driver *, struct hold *); /* the first of those held; its kernel does not run any more */

/* fetch.c */
void tw__fetch_resolve(struct tw_sched *, struct hold *); /* hold->access */
void tw__fetch_access(struct tw_sched *, struct hold *, int index);
bool tw__fetch_settled(struct tw_sched *, struct hold *); /* everything is there and nobody else needs the old value */
void tw__fetch_own(struct tw_sched *, struct hold *);     /* then: its memory owns what it writes */
/* The accesses of its task, in the graph's order, each with its present place; returns how many. */
int tw__fetch_placed(const struct tw_sched *, const struct hold *, struct tw__placed *access);

/* reduce.c */
int tw__reduce_open(struct tw_sched *);
void tw__reduce_close(struct tw_sched *);
/* To the worker's accumulator: TW_W | TW_REDUX. It is also read, but by the first of a reduction, which makes it. */
tw__access tw__reduce_access(const struct tw_sched *, tw__access, tw_worker);
void tw__reduce_ended(struct tw_sched *, struct hold *); /* its writes are committed */

#endif
