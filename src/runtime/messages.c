#include "runtime/messages.h"

#include <stdlib.h>

#include "base/memory.h"
#include "runtime/memory/memory.h"
#include "runtime/state/uses.h"
#include "runtime/state/wakeups.h"
#include "runtime/tasks.h"
#include "runtime/transfers/transfers.h"

struct list {
	struct tw__parcel *first, *last;
};

/* One end of a message. */
struct tw__parcel {
	struct hold hold;
	tw__access access;
	int32_t message;
	bool has_requested, moves; /* moves: the transfer has begun */
	tw__ns ready_at;
	struct list *in;
	struct tw__parcel *before, *next; /* in the list; `next` also links unused ones */
};

struct messages {
	struct driver *driver;
	/* Where ends take room or a pinned buffer: those that wait until the other end's task is ready. */
	struct list announced;
	struct list posted; /* their handles are not there */
	struct list ready;  /* they wait for the other end, or for the end of the transfer */
	struct list ended;  /* their transfers have ended */
	struct tw__parcel *unused;
	struct tw__arena memory;
	uint64_t *has_buffer; /* set of the handles that were received before */
	uint64_t chunk_left;  /* bytes of the last pinned chunk that no buffer has */
};

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void append(struct list *list, struct tw__parcel *p)
{
	p->in = list;
	p->next = NULL;
	p->before = list->last;
	*(list->last ? &list->last->next : &list->first) = p;
	list->last = p;
}

static void take_out(struct tw__parcel *p)
{
	*(p->before ? &p->before->next : &p->in->first) = p->next;
	*(p->next ? &p->next->before : &p->in->last) = p->before;
}

static void move(struct tw__parcel *p, struct list *to)
{
	take_out(p);
	append(to, p);
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

void tw__messages_open(struct tw__rt *rt)
{
	if (!rt->in->rank)
		return;
	struct messages *m = rt->messages = tw_alloc(1, sizeof *m);
	m->has_buffer = tw_alloc(tw__bit_words(rt->graph->n_data), sizeof *m->has_buffer);
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
	free(rt->messages->has_buffer);
	free(rt->messages);
}

/* --- from a ready task to a handle in main memory ----------------------------------------------------------------- */

/* Returns the cost of a buffer for what the task receives: if need be, that of a further pinned chunk. */
static tw__ns buffer_cost(struct tw__rt *rt, const struct tw__parcel *p)
{
	struct messages *m = rt->messages;
	const tw_data d = tw__access_data(p->access);
	const uint64_t bytes = rt->graph->data_bytes[d];
	if (!rt->cost.receive_chunk || !(p->access & TW_W) || tw__bit(m->has_buffer, d))
		return 0;
	tw__bit_put(m->has_buffer, d, true);
	if (bytes <= m->chunk_left) {
		m->chunk_left -= bytes;
		return 0;
	}
	m->chunk_left = rt->params->receive_chunk_bytes > bytes ? rt->params->receive_chunk_bytes - bytes : 0;
	return rt->cost.receive_chunk;
}

void tw__message_post(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	struct messages *m = rt->messages;
	struct tw__parcel *p = m->unused;
	if (p)
		m->unused = p->next;
	else
		p = tw__arena_alloc(&m->memory, 1, sizeof *p);
	*p = (struct tw__parcel){.hold = {.driver = m->driver, .task = t, .state = HOLD_FETCHING, .access = &p->access},
	                         .message = rt->in->rank->message_of[t]};
	tw__rt_record(rt, (struct tw__event){.kind = TW__READY, .task = t, .worker = (int16_t)released_by});
	tw__rt_record(rt, (struct tw__event){.kind = TW__ASSIGN, .task = t, .worker = TW_NONE, .node = TW_RAM});
	rt->remaining[t] = ASSIGNED;
	tw__uses_skip(rt, t);
	tw__fetch_resolve(rt, &p->hold);
	const bool waits = is_bounded(rt, TW_RAM) || (rt->cost.receive_chunk && p->access & TW_W);
	append(waits ? &m->announced : &m->posted, p);
	rt->n_awaited++;
	if (!waits)
		tw__rt_signal(m->driver);
	if (!rt->in->rank->announces)
		return;
	rt->in->rank->announce(rt->in->rank, p->message, waits ? p : NULL);
	tw__engine_changes(rt); /* the other node may have a turn now */
}

void tw__message_go(struct tw__rt *rt, struct tw__parcel *p)
{
	move(p, &rt->messages->posted);
	tw__rt_signal(rt->messages->driver);
}

/* Whether this end has its handle. Requests it first. Nobody needs the content before what is received, so its copies
 * leave then: the last one might else keep its place while the message waits for another node. */
static bool is_there(struct tw__rt *rt, struct tw__parcel *p)
{
	if (!tw__memory_admit(rt, &p->hold))
		return false;
	if (!p->has_requested) {
		p->has_requested = true;
		tw__fetch_access(rt, &p->hold, 0);
		if (p->access & TW_W)
			tw__request_forget(rt, tw__access_data(p->access));
		if (drained_for(rt, TW_RAM) == &p->hold)
			tw__memory_drain(rt, TW_RAM, NULL);
	}
	return !p->hold.missing && tw__fetch_settled(rt, &p->hold);
}

/* The first of the ends that wait for their handles stands for all of them, where others look at what the thread
 * fetches. */
static void show_first(struct driver *d)
{
	const struct tw__parcel *first = d->messages->posted.first;
	d->fetching = first ? (struct hold *)(uintptr_t)&first->hold : NULL;
	d->fetch_index = first && first->has_requested;
}

tw__ns tw__messages_turn(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct messages *m = d->messages;
	if (d->fetching && !d->fetch_index && m->posted.first)
		m->posted.first->has_requested = false; /* it had to give up (transfers/unjam.c) */
	for (struct tw__parcel *p = m->posted.first, *next; p && rt->status == TW_OK; p = next) {
		next = p->next;
		const tw__ns cost = buffer_cost(rt, p);
		if (cost) {
			d->step = STEP_TOP;
			return cost;
		}
		if (!is_there(rt, p))
			continue;
		move(p, &m->ready);
		if (p->access & TW_W)
			tw__memory_own(rt, tw__access_data(p->access), TW_NONE, false);
		p->hold.state = HOLD_LAUNCHED;
		p->ready_at = rt->now;
		d->progress = true;
		rt->in->rank->ready(rt->in->rank, p->message, p);
		tw__engine_changes(rt); /* its transfer may have begun */
	}
	show_first(d);
	if (!m->ended.first)
		return 0;
	d->progress = true;
	d->step = STEP_MESSAGE;
	return rt->cost.message;
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

void tw__message_starts(struct tw__parcel *p) { p->moves = true; }

bool tw__messages_give_up(struct tw__rt *rt, const struct tw__parcel *but)
{
	struct messages *m = rt->messages;
	bool any = false;
	for (struct tw__parcel *p = m->ready.first, *next; p; p = next) {
		next = p->next;
		if (p->moves || p == but || !is_bounded(rt, TW_RAM))
			continue;
		const tw_data d = tw__access_data(p->access);
		move(p, &m->posted);
		if (p->access & TW_W)
			tw__memory_unpin(rt, d, TW_RAM, PIN_WRITTEN);
		tw__memory_unpin(rt, d, TW_RAM, PIN_USED);
		tw__memory_leave(rt, &p->hold);
		p->hold.state = HOLD_FETCHING;
		p->has_requested = false;
		rt->in->rank->give_up(rt->in->rank, p->message);
		any = true;
	}
	tw__rt_signal(m->driver);
	return any;
}

void tw__message_ended(struct tw__rt *rt, struct tw__parcel *p, tw__ns start, tw__ns end)
{
	start = tw__latest(start, p->ready_at); /* a message may come early, to a temporary buffer */
	p->hold.start = start;
	p->hold.end = end;
	p->hold.state = HOLD_ENDED;
	move(p, &rt->messages->ended);
	tw__rt_record_kernel(rt, &p->hold, start, TW__END, end, 0);
	tw__rt_signal(rt->messages->driver);
}

tw__ns tw__messages_end(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct messages *m = d->messages;
	struct tw__parcel *p = m->ended.first;
	const tw_task t = p->hold.task;
	tw__task_commit(d, &p->hold);
	tw__memory_leave(rt, &p->hold);
	tw__task_over(rt);
	if (rt->params->window)
		tw__submit_ended(rt, &p->hold);
	rt->n_awaited--;
	d->releasing = t;
	d->successor = rt->graph->successor_start[t];
	d->hint = rt->graph->access_start[t + 1];
	d->step = STEP_RELEASE;
	take_out(p);
	p->next = m->unused;
	m->unused = p;
	return 0;
}
