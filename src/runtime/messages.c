#include "runtime/messages.h"

#include <stdlib.h>

#include "base/memory.h"
#include "runtime/memory/memory.h"
#include "runtime/state/uses.h"
#include "runtime/state/wakeups.h"
#include "runtime/tasks.h"
#include "runtime/transfers/transfers.h"

/* One end of a message. */
struct tw__parcel {
	struct hold hold;
	tw__access access;
	bool has_requested;
	struct tw__parcel *next; /* posted later, ended later, or unused */
};

struct messages {
	struct driver *driver;
	struct tw__parcel *posted, **last_posted; /* their handles are not there */
	struct tw__parcel *ended, **last_ended;   /* their transfers have ended */
	struct tw__parcel *unused;
	struct tw__arena memory;
};

void tw__messages_open(struct tw__rt *rt)
{
	if (!rt->in->rank)
		return;
	struct messages *m = rt->messages = tw_alloc(1, sizeof *m);
	m->last_posted = &m->posted;
	m->last_ended = &m->ended;
	m->driver = &rt->drivers[rt->n_drivers++];
	m->driver->worker = TW_NONE;
	m->driver->node = TW_RAM;
	m->driver->messages = m;
}

void tw__messages_close(struct tw__rt *rt)
{
	if (!rt->messages)
		return;
	tw__arena_finish(&rt->messages->memory);
	free(rt->messages);
}

static void append(struct tw__parcel ***last, struct tw__parcel *p)
{
	p->next = NULL;
	**last = p;
	*last = &p->next;
}

void tw__message_post(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	struct messages *m = rt->messages;
	struct tw__parcel *p = m->unused;
	if (p)
		m->unused = p->next;
	else
		p = tw__arena_alloc(&m->memory, 1, sizeof *p);
	*p = (struct tw__parcel){.hold = {.driver = m->driver, .task = t, .state = HOLD_FETCHING, .access = &p->access}};
	tw__rt_record(rt, (struct tw__event){.kind = TW__READY, .task = t, .worker = (int16_t)released_by});
	tw__rt_record(rt, (struct tw__event){.kind = TW__ASSIGN, .task = t, .worker = TW_NONE, .node = TW_RAM});
	rt->remaining[t] = ASSIGNED;
	tw__uses_skip(rt, t);
	tw__fetch_resolve(rt, &p->hold);
	append(&m->last_posted, p);
	tw__rt_signal(m->driver);
}

/* Whether this end has its handle. Requests it first. Nobody needs the content before what is received, so its copies
 * leave then: the last one might else keep its place while the message waits for another node. */
static bool is_there(struct tw__rt *rt, struct tw__parcel *p)
{
	if (!p->has_requested) {
		p->has_requested = true;
		tw__fetch_access(rt, &p->hold, 0);
		if (p->access & TW_W)
			tw__request_forget(rt, tw__access_data(p->access));
	}
	return !p->hold.missing && tw__fetch_settled(rt, &p->hold);
}

tw__ns tw__messages_turn(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct messages *m = d->messages;
	struct tw__parcel **link = &m->posted;
	for (struct tw__parcel *p; (p = *link) && rt->status == TW_OK;) {
		if (!is_there(rt, p)) {
			link = &p->next;
			continue;
		}
		*link = p->next;
		if (p->access & TW_W)
			tw__memory_own(rt, tw__access_data(p->access), TW_NONE, false);
		p->hold.state = HOLD_LAUNCHED;
		rt->n_awaited++;
		rt->in->rank->ready(rt->in->rank, rt->in->rank->message_of[p->hold.task], p);
		tw__engine_changes(rt); /* its transfer may have begun */
	}
	m->last_posted = link;
	while (*m->last_posted)
		m->last_posted = &(*m->last_posted)->next;
	if (!m->ended)
		return 0;
	d->progress = true;
	d->step = STEP_MESSAGE;
	return rt->cost.message;
}

void tw__message_ended(struct tw__rt *rt, struct tw__parcel *p, tw__ns start, tw__ns end)
{
	p->hold.start = start;
	p->hold.end = end;
	p->hold.state = HOLD_ENDED;
	rt->n_awaited--;
	tw__rt_record_kernel(rt, &p->hold, start, TW__END, end, 0);
	append(&rt->messages->last_ended, p);
	tw__rt_signal(rt->messages->driver);
}

tw__ns tw__messages_end(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct messages *m = d->messages;
	struct tw__parcel *p = m->ended;
	const tw_task t = p->hold.task;
	m->ended = p->next;
	if (!m->ended)
		m->last_ended = &m->ended;
	tw__task_commit(d, &p->hold);
	tw__task_over(rt);
	if (rt->params->window)
		tw__submit_ended(rt, &p->hold);
	d->releasing = t;
	d->successor = rt->graph->successor_start[t];
	d->hint = rt->graph->access_start[t + 1];
	d->step = STEP_RELEASE;
	p->next = m->unused;
	m->unused = p;
	return 0;
}
