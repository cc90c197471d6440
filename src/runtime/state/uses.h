/* Planned uses from the order of submission, for eviction policies that look ahead beside a policy that plans nothing:
 * a task that no worker has popped counts for every node. */
#ifndef TW__RUNTIME_USES_H
#define TW__RUNTIME_USES_H

#include <tilewright/policy.h>

#include "runtime/state/state.h"

/* After the policies' init. Keeps these uses if the eviction policy needs a plan, and a policy of workers with a
 * bounded memory plans nothing. */
void tw__uses_open(struct tw__rt *);
void tw__uses_close(struct tw__rt *);

/* The next functions change these uses, if they are kept. A worker of the node has popped the task; the task is ready
 * again; it has ended. */
void tw__uses_change_take(struct tw__rt *, tw_task, tw_node);
void tw__uses_change_give_back(struct tw__rt *, tw_task);
void tw__uses_change_end(struct tw__rt *, tw_task);
void tw__uses_change_skip(struct tw__rt *, tw_task); /* it will not run */
static inline void tw__uses_take(struct tw__rt *rt, tw_task t, tw_node n)
{
	if (rt->uses)
		tw__uses_change_take(rt, t, n);
}
static inline void tw__uses_give_back(struct tw__rt *rt, tw_task t)
{
	if (rt->uses)
		tw__uses_change_give_back(rt, t);
}
static inline void tw__uses_skip(struct tw__rt *rt, tw_task t)
{
	if (rt->uses)
		tw__uses_change_skip(rt, t);
}
static inline void tw__uses_end(struct tw__rt *rt, tw_task t)
{
	if (rt->uses)
		tw__uses_change_end(rt, t);
}

/* The uses of the handle on the node, as a policy's `planned_use` tells them. Contributions to a reduction count for
 * the handle and its accumulators. Tasks that reductions append are in no order, and do not count. */
struct tw_planned_use tw__uses_of(const struct tw__rt *, tw_data, tw_node);

#endif
