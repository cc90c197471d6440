#include "runtime/parcels.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/spec.h"
#include "runtime/memory/memory.h"
#include "runtime/state/domain.h"
#include "runtime/state/uses.h"
#include "runtime/state/wakeups.h"
#include "runtime/tasks.h"
#include "runtime/transfers/transfers.h"

/* --- opening and closing ------------------------------------------------------------------------------------------ */

/* Main memory must have room for the handle of each message. */
static void check_room(struct tw__rt *rt)
{
	char needed[32], usable[32];
	for (tw_task t = 0; t < rt->graph->n_tasks && rt->status == TW_OK; t++) {
		const int32_t message = rt->in->rank->message_of[t];
		const uint64_t bytes =
			message == TW_NONE ? 0 : rt->graph->data_bytes[tw_graph_access(rt->graph, t, 0).data];
		const uint64_t capacity = rt->capacity[TW_RAM];
		if (bytes > capacity)
			tw__rt_fail(rt, TW_INVALID,
			            "message %d has %s, memory '%s' has %s usable: expected at least the former",
			            (int)message, tw__size_beside(needed, sizeof needed, bytes, capacity),
			            rt->platform->nodes[TW_RAM].name,
			            tw__size_beside(usable, sizeof usable, capacity, bytes));
	}
}

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
	tw__direct_open(rt);
	check_room(rt);
}

void tw__messages_close(struct tw__rt *rt)
{
	if (!rt->messages)
		return;
	tw__heap_finish(&rt->messages->unpinned);
	tw__arena_finish(&rt->messages->memory);
	free(rt->messages->has_buffer);
	free(rt->messages->at);
	free(rt->messages);
}

/* --- from a ready task to a handle in main memory ----------------------------------------------------------------- */

void tw__message_go(struct tw__rt *rt, struct tw__parcel *p, bool to_any)
{
	if (to_any)
		tw__direct_choose(rt, p);
	if (tw__buffer_lacks(rt, p)) {
		tw__buffer_want(rt, p);
		return;
	}
	parcel_move(p, &rt->messages->posted);
	tw__rt_signal(rt->messages->driver);
}

void tw__message_post(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	struct messages *m = rt->messages;
	struct tw__parcel *p = m->unused;
	if (p)
		m->unused = p->next;
	else
		p = tw__arena_alloc(&m->memory, 1, sizeof *p);
	*p = (struct tw__parcel){.hold = {.activity = {ACTIVITY_MESSAGE},
	                                  .driver = m->driver,
	                                  .task = t,
	                                  .state = HOLD_FETCHING,
	                                  .access = &p->access},
	                         .message = rt->in->rank->message_of[t]};
	tw__rt_record(rt, (struct tw__event){.kind = TW__READY, .task = t, .worker = (int16_t)released_by});
	tw__rt_record(rt, (struct tw__event){.kind = TW__ASSIGN, .task = t, .worker = TW_NONE, .node = TW_RAM});
	rt->remaining[t] = ASSIGNED;
	tw__uses_skip(rt, t);
	tw__fetch_resolve(rt, &p->hold);
	const bool waits = is_bounded(rt, TW_RAM) || (m->at && p->access & TW_W);
	parcel_append(&m->announced, p);
	rt->n_awaited++;
	if (!waits)
		tw__message_go(rt, p, false);
	if (!rt->in->rank->announces)
		return;
	rt->in->rank->announce(rt->in->rank, p->message, waits ? p : NULL);
	tw__engine_changes(rt); /* the other node may have a turn now */
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

struct tw__parcel *tw__parcel_of(struct activity *a)
{
	return TW__CONTAINER(TW__CONTAINER(a, struct hold, activity), struct tw__parcel, hold);
}

int32_t tw__message_priority(const struct tw__parcel *p)
{
	return tw__domain_priority(p->hold.driver->rt, p->hold.task);
}

tw_node tw__message_memory(const struct tw__parcel *p) { return p->hold.driver->node; }

bool tw__message_starts(struct tw__parcel *p)
{
	struct tw__rt *rt = p->hold.driver->rt;
	p->moves = p->has_requested || tw__direct_leaves(rt, p);
	if (!p->moves) {
		p->hold.state = HOLD_FETCHING;
		parcel_move(p, &rt->messages->posted);
		tw__rt_signal(rt->messages->driver);
	}
	return p->moves;
}

bool tw__messages_give_up(struct tw__rt *rt, const struct tw__parcel *but)
{
	struct messages *m = rt->messages;
	bool any = false;
	for (struct tw__parcel *p = m->ready.first, *next; p; p = next) {
		next = p->next;
		const tw_node n = p->hold.driver->node;
		if (p->moves || p == but || !p->has_requested || !is_bounded(rt, n))
			continue;
		const tw_data d = tw__access_data(p->access);
		parcel_move(p, &m->posted);
		if (p->access & TW_W)
			tw__memory_unpin(rt, d, n, PIN_WRITTEN);
		tw__memory_unpin(rt, d, n, PIN_USED);
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
	parcel_move(p, &rt->messages->ended);
	tw__rt_record_kernel(rt, &p->hold, start, TW__END, end, 0);
	tw__rt_signal(rt->messages->driver);
}
