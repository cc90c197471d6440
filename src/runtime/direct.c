/* GPUDirect (gpudirect): the network reads from the memories of cards, and writes to them.
 *
 * A message leaves from main memory if its handle is valid there when the transfer begins. Otherwise it leaves from the
 * card with the fastest way to main memory, of those that have it.
 *
 * Its reader is the first task, in the order of submission, that reads it there. It goes to the only card that has a
 * valid copy of the first handle that the reader writes, if the reader can run there. If the card cannot reserve room
 * for the message at once, it goes to main memory. So do messages whose receivers are not ready, and those whose room a
 * stalled run needs.
 *
 * The task of such an end belongs to a stand-in of the network thread. It has the card's memory, and does what that
 * thread does, but for the ends of messages. */
#include "runtime/memory/memory.h"
#include "runtime/parcels.h"
#include "runtime/state/domain.h"

static const struct tw__route *way_home(const struct tw__rt *rt, tw_node n)
{
	return tw__route_of(rt->platform, n, TW_RAM);
}

void tw__direct_open(struct tw__rt *rt)
{
	struct messages *m = rt->messages;
	if (!rt->params->gpudirect)
		return;
	m->at = tw_alloc((size_t)rt->n_nodes, sizeof(struct driver *));
	m->at[TW_RAM] = m->driver;
	for (tw_node n = rt->n_mains; n < rt->n_nodes; n++) {
		if (!tw__is_card(rt->platform, n) || !way_home(rt, n)->n_links ||
		    !tw__route_of(rt->platform, TW_RAM, n)->n_links)
			continue;
		m->at[n] = &rt->drivers[rt->n_drivers++];
		*m->at[n] = (struct driver){.worker = TW_NONE, .node = n, .messages = m};
	}
}

/* --- leaving ------------------------------------------------------------------------------------------------------ */

static tw_node source_of(const struct tw__rt *rt, tw_data d)
{
	tw_node best = TW_NONE;
	for (tw_node n = 0; (n = next_node(rt, d, VALID_ON, n)) >= 0; n++) {
		if (!rt->messages->at[n] || !is_allocated(rt, d, n))
			continue;
		if (n == TW_RAM)
			return n;
		if (best == TW_NONE || way_home(rt, n)->bandwidth > way_home(rt, best)->bandwidth)
			best = n;
	}
	return best;
}

bool tw__direct_may_leave(const struct tw__rt *rt, const struct tw__parcel *p)
{
	return rt->messages->at && !(p->access & TW_W) && !p->has_requested &&
	       source_of(rt, tw__access_data(p->access)) != TW_NONE;
}

bool tw__direct_leaves(struct tw__rt *rt, struct tw__parcel *p)
{
	const tw_data d = tw__access_data(p->access);
	const tw_node n = source_of(rt, d);
	if (n == TW_NONE)
		return false;
	p->hold.driver = rt->messages->at[n];
	tw__memory_pin(rt, d, n, PIN_USED);
	return true;
}

/* --- arriving ----------------------------------------------------------------------------------------------------- */

static bool runs_on(const struct tw__rt *rt, tw_task t, tw_node n)
{
	for (tw_worker w = 0; w < rt->platform->n_workers; w++)
		if (rt->platform->workers[w].node == n && tw__domain_can_run(rt, t, w))
			return true;
	return false;
}

/* Returns the only card that has a valid copy of the handle; TW_NONE: none has, or several have. */
static tw_node card_of(const struct tw__rt *rt, tw_data d)
{
	const tw_node n = next_node(rt, d, VALID_ON, rt->n_mains);
	return n >= 0 && rt->messages->at[n] && next_node(rt, d, VALID_ON, n + 1) < 0 ? n : TW_NONE;
}

/* Returns the card that is to read what the task receives; TW_NONE: unknown. */
static tw_node reader_of(const struct tw__rt *rt, tw_task receive)
{
	const struct tw_graph *g = rt->graph;
	uint32_t s = g->successor_start[receive];
	while (s < g->successor_start[receive + 1] && tw__sends_or_receives(rt, g->successor[s]))
		s++;
	if (s == g->successor_start[receive + 1])
		return TW_NONE;
	const tw_task reader = g->successor[s];
	uint32_t a = g->access_start[reader];
	while (a < g->access_start[reader + 1] && !(g->access[a] & TW_W))
		a++;
	const tw_node n = a < g->access_start[reader + 1] ? card_of(rt, tw__access_data(g->access[a])) : TW_NONE;
	return n != TW_NONE && runs_on(rt, reader, n) ? n : TW_NONE;
}

void tw__direct_choose(struct tw__rt *rt, struct tw__parcel *p)
{
	struct messages *m = rt->messages;
	const tw_node n = m->at && p->access & TW_W ? reader_of(rt, p->hold.task) : TW_NONE;
	if (n == TW_NONE)
		return;
	p->hold.driver = m->at[n];
	if (!tw__memory_admit(rt, &p->hold))
		p->hold.driver = m->driver;
}

bool tw__direct_has_lost(struct tw__rt *rt, struct tw__parcel *p)
{
	const tw_node n = p->hold.driver->node;
	if (n == TW_RAM || p->hold.admitted || !is_bounded(rt, n))
		return false;
	if (drained_for(rt, n) == &p->hold)
		tw__memory_drain(rt, n, NULL);
	p->hold.driver = rt->messages->driver;
	p->has_requested = false;
	parcel_move(p, &rt->messages->announced);
	return true;
}
