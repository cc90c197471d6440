/* Ready tasks get to their policies. A policy may split a recursive one before that (struct tw_policy, splits). Then
 * the tasks inside are pushed in its place, and it ends with the last of them. Splitting takes no time. */
#ifndef TW__RUNTIME_RECURSIVE_H
#define TW__RUNTIME_RECURSIVE_H

#include "runtime/state/state.h"

void tw__recursive_open(struct tw__rt *); /* does nothing if no task is recursive */
void tw__recursive_close(struct tw__rt *);
/* All predecessors of the task have ended: it is split, or pushed once its handles are usable (filters.h). */
void tw__task_push(struct tw__rt *, tw_task, tw_worker released_by);
/* A task that was not split has ended: those inside are not needed. Returns their number. */
tw_task tw__recursive_skip(struct tw__rt *, tw_task);
/* All successors of driver->releasing are released. If that was the last task inside another one, ends that one. It is
 * then the one whose successors are released. */
bool tw__recursive_leave(struct driver *);
/* Returns the next task that is submitted after this one. */
static inline tw_task tw__recursive_next(const struct tw__rt *rt, tw_task t)
{
	const tw_task end = rt->inside_left ? rt->graph->inside_end[t] : 0;
	return end ? end : t + 1;
}

#endif
