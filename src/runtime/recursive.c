#include "runtime/recursive.h"

#include <stdlib.h>

#include "runtime/filters.h"
#include "runtime/messages.h"
#include "runtime/state/domain.h"
#include "runtime/state/threads.h"
#include "runtime/state/uses.h"

void tw__recursive_open(struct tw__rt *rt)
{
	if (rt->graph->inside_end)
		rt->inside_left = tw_alloc((size_t)rt->n_own_tasks, sizeof *rt->inside_left);
}

void tw__recursive_close(struct tw__rt *rt) { free(rt->inside_left); }

static bool wants_split(struct tw__rt *rt, tw_task t)
{
	struct tw_sched *s = tw__domain_of(rt, t);
	if (t >= rt->n_own_tasks || !rt->graph->inside_end[t] || !s->policy->splits)
		return false;
	tw__rt_calls(rt, TW__CALL_PUSH);
	const bool wants = s->policy->splits(s, s->state, t);
	tw__rt_calls(rt, TW__CALL_NONE);
	return wants && rt->status == TW_OK;
}

static void split(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	const tw_task end = rt->graph->inside_end[t];
	tw__rt_record(rt, (struct tw__event){.kind = TW__READY, .task = t, .worker = (int16_t)released_by});
	rt->remaining[t] = ASSIGNED;
	tw__uses_skip(rt, t);
	for (tw_task inside = t + 1; inside < end; inside = tw__recursive_next(rt, inside))
		rt->inside_left[t]++;
	for (tw_task inside = t + 1; inside < end && rt->status == TW_OK; inside = tw__recursive_next(rt, inside)) {
		tw__rt_record(rt, (struct tw__event){.kind = TW__SUBMIT, .task = inside});
		if (--rt->remaining[inside] > 0)
			continue;
		rt->remaining[inside] = UNPUSHED;
		tw__task_push(rt, inside, released_by);
	}
}

static __attribute__((cold)) void push_usable_or_split(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	if (rt->inside_left && wants_split(rt, t))
		split(rt, t, released_by);
	else if (tw__filters_admit(rt, t, released_by))
		tw__task_push_usable(rt, t, released_by);
}

void tw__task_push(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	if (tw__sends_or_receives(rt, t))
		tw__message_post(rt, t, released_by);
	else if (!rt->filters)
		tw__task_push_usable(rt, t, released_by);
	else
		push_usable_or_split(rt, t, released_by);
}

tw_task tw__recursive_skip(struct tw__rt *rt, tw_task t)
{
	const tw_task end = t < rt->n_own_tasks ? rt->graph->inside_end[t] : 0;
	if (!end)
		return 0;
	for (tw_task inside = t + 1; inside < end; inside++)
		tw__uses_skip(rt, inside);
	rt->n_done += end - t - 1;
	return end - t - 1;
}

bool tw__recursive_leave(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	const tw_task around = d->releasing < rt->n_own_tasks ? rt->graph->around[d->releasing] : TW_NONE;
	if (around == TW_NONE || --rt->inside_left[around] > 0)
		return false;
	tw__rt_record(rt, (struct tw__event){.kind = TW__RELEASE,
	                                     .task = around,
	                                     .worker = (int16_t)d->worker,
	                                     .node = (int16_t)d->node});
	rt->n_done++;
	rt->last_release = rt->now;
	tw__rt_beat(rt);
	d->releasing = around;
	d->successor = rt->graph->successor_start[around];
	d->hint = rt->graph->access_start[around];
	return true;
}
