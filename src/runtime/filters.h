/* Handles that are divided into parts (Augonnet 2011, section 2.2.3; tw_graph_partition). At a time tasks can access
 * the whole, or the parts, or read both. Before a task is pushed, its handles are made usable for it, in their main
 * memory. The whole gets there before its parts are valid, and all parts get there before the whole is. Each main
 * memory has a thread for this. It needs no time but for the transfers. */
#ifndef TW__FILTERS_H
#define TW__FILTERS_H

#include "runtime/state/domain.h"

/* Adds the threads behind others. Does nothing if no handle is divided and no task is recursive. */
void tw__filters_open(struct tw__rt *);
void tw__filters_turn(struct driver *); /* changes the handles of the thread whose copies are there */
/* Whether all handles of the task, whose predecessors have ended, are usable for it. Otherwise the task is pushed once
 * they are. */
bool tw__filters_admit(struct tw__rt *, tw_task, tw_worker released_by);
/* Pushes a ready task whose handles are usable. */
static inline void tw__task_push_usable(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	tw__rt_record(rt, (struct tw__event){.kind = TW__READY, .task = t, .worker = (int16_t)released_by});
	rt->remaining[t] = 0;
	rt->n_ready++;
	rt->last_push = rt->now;
	rt->n_vain_pops = 0;
	tw__domain_push(rt, t, released_by);
}

#endif
