/* Tasks: their submission, release and end, the requests for their data, and reductions. */
#ifndef TW__TASKS_H
#define TW__TASKS_H

#include "runtime/state/state.h"

/* Functions of task.c: */
/* Submits tasks until a step costs time, and returns the cost in ns. Negative: the submission window is full, or all
 * tasks are submitted. */
tw__ns tw__submit(struct tw_sched *);
void tw__task_assigned(struct driver *, struct hold *);
void tw__task_end(struct driver *, struct hold *);
/* Releases successors of driver->releasing until one becomes ready, and stores it in driver->pushing. False: none is
 * left. */
bool tw__task_release_next(struct driver *);
/* Whether the ended task was the last writer of one more handle; driver->hint is then the access to it. */
bool tw__task_has_hint(struct driver *);
void tw__task_take_hint(struct driver *);
void tw__task_push(struct tw_sched *, tw_task, tw_worker released_by);
/* Gives the worker's first held task, whose kernel was cancelled, back to the policy. */
void tw__task_cancel(struct driver *, struct hold *);

/* Functions of fetch.c: */
/* Fills hold->access with the accesses that the task requests, written handles first. */
void tw__fetch_resolve(struct tw_sched *, struct hold *);
void tw__fetch_access(struct tw_sched *, struct hold *, int index);
/* Whether all inputs of the task are there, and no request still needs the old value of a handle that it writes. */
bool tw__fetch_settled(struct tw_sched *, struct hold *);
/* Makes the worker's memory the owner of the handles that the task writes, once tw__fetch_settled has returned true. */
void tw__fetch_own(struct tw_sched *, struct hold *);
/* Lists the accesses of the held task in the graph's order, each with the handle's current offset. Returns the number
 * of accesses. */
int tw__fetch_placed(const struct tw_sched *, const struct hold *, struct tw__placed *access);

/* Functions of reduce.c: */
int tw__reduce_open(struct tw_sched *);
void tw__reduce_close(struct tw_sched *);
/* Returns the access to the worker's accumulator that replaces a reduction's access: TW_W | TW_REDUX. All contributing
 * tasks on the worker but the first one also read the accumulator. */
tw__access tw__reduce_access(const struct tw_sched *, tw__access, tw_worker);
/* Updates the contributions of accumulators after a task has ended. After the last contribution, appends the tasks that
 * combine the accumulators. */
void tw__reduce_ended(struct tw_sched *, struct hold *);

#endif
