/* The steps of the network thread, from a task's turn to a handle in main memory, and from the end of a transfer to the
 * task's. */
#include "runtime/memory/memory.h"
#include "runtime/parcels.h"
#include "runtime/state/domain.h"
#include "runtime/tasks.h"
#include "runtime/transfers/transfers.h"

/* Whether this end has its handle. Requests it first. Nobody needs the content before what is received, so its copies
 * leave then: the last one might else keep its place while the message waits for another node. */
static bool is_there(struct tw__rt *rt, struct tw__parcel *p)
{
	if (tw__direct_may_leave(rt, p))
		return true;
	if (tw__direct_has_lost(rt, p)) {
		tw__message_go(rt, p, false);
		return false;
	}
	if (!tw__memory_admit(rt, &p->hold))
		return false;
	if (!p->has_requested) {
		p->has_requested = true;
		tw__fetch_access(rt, &p->hold, 0);
		if (p->access & TW_W)
			tw__request_forget(rt, tw__access_data(p->access));
		if (drained_for(rt, p->hold.driver->node) == &p->hold)
			tw__memory_drain(rt, p->hold.driver->node, NULL);
	}
	return !p->hold.missing && tw__fetch_settled(rt, &p->hold);
}

/* This end has its handle: the engine begins it, or the cluster, if that has both. */
static void begin(struct tw__rt *rt, struct tw__parcel *p)
{
	if (rt->in->rank->processes)
		rt->ops->message(tw__engine_at(rt), p->message, tw__access_data(p->access),
		                 token_of(&p->hold.activity));
	else
		rt->in->rank->ready(rt->in->rank, p->message, p);
	tw__engine_changes(rt); /* its transfer may have begun */
}

/* The first of the ends that wait for their handles in the thread's memory stands for all of them, where others look
 * at what the thread fetches. */
static void show_first(struct driver *d)
{
	const struct tw__parcel *first = d->messages->posted.first;
	while (first && first->hold.driver != d)
		first = first->next;
	d->fetching = first ? (struct hold *)(uintptr_t)&first->hold : NULL;
	d->fetch_index = first && first->has_requested;
}

tw__ns tw__messages_turn(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct messages *m = d->messages;
	if (m->driver->fetching && !m->driver->fetch_index) /* it had to give up (transfers/unjam.c) */
		tw__parcel_of(&m->driver->fetching->activity)->has_requested = false;
	for (struct tw__parcel *p = m->posted.first, *next; p && rt->status == TW_OK; p = next) {
		next = p->next;
		if (!is_there(rt, p))
			continue;
		parcel_move(p, &m->ready);
		if (p->access & TW_W)
			tw__memory_own(rt, tw__access_data(p->access), TW_NONE, false);
		p->hold.state = HOLD_LAUNCHED;
		p->ready_at = rt->now;
		d->progress = true;
		begin(rt, p);
	}
	show_first(m->driver);
	for (tw_node n = rt->n_mains; m->at && n < rt->n_nodes; n++)
		if (m->at[n])
			show_first(m->at[n]);
	if (!m->ended.first || d != m->driver)
		return 0;
	d->progress = true;
	d->step = STEP_MESSAGE;
	return rt->cost.message;
}

tw__ns tw__messages_end(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct messages *m = d->messages;
	struct tw__parcel *p = m->ended.first;
	const tw_task t = p->hold.task;
	tw__task_commit(p->hold.driver, &p->hold);
	if (p->access & TW_W && p->hold.driver != d)
		tw__domains_loaded(rt, tw__access_data(p->access), p->hold.driver->node);
	tw__memory_leave(rt, &p->hold);
	tw__task_over(rt);
	if (rt->params->window)
		tw__submit_ended(rt, &p->hold);
	rt->n_awaited--;
	d->releasing = t;
	d->successor = rt->graph->successor_start[t];
	d->hint = rt->graph->access_start[t + 1];
	d->step = STEP_RELEASE;
	parcel_take_out(p);
	p->next = m->unused;
	m->unused = p;
	return 0;
}
