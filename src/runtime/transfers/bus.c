/* Mutual exclusion of transfers. An issued transfer waits for all older issued transfers that exclude it. Transfers
 * that run at the same time share links in the engine. An engine with TW__ENGINE_ONE_BY_ONE gets all transfers of an
 * ordered pair of memories at once, and runs them in that order. */
#include "runtime/state/threads.h"
#include "runtime/transfers/channel.h"
#include "runtime/transfers/transfers.h"

static bool is_accelerator_memory(const struct tw__rt *rt, tw_node n)
{
	return rt->at_node[n].mover && rt->at_node[n].mover->accelerator;
}

/* Whether two transfers must not run at the same time. Such transfers have a common source or destination other than
 * main memory. */
static bool exclude(const struct tw__rt *rt, const struct request *a, const struct request *b)
{
	if (a->from == b->from && a->to == b->to)
		return !(rt->ops->caps & TW__ENGINE_ONE_BY_ONE);
	if (rt->only_channels)
		return false;
	bool a_peers = is_accelerator_memory(rt, a->from) && is_accelerator_memory(rt, a->to);
	bool b_peers = is_accelerator_memory(rt, b->from) && is_accelerator_memory(rt, b->to);
	return (a_peers && a->from == b->to && a->to == b->from) || (a_peers && (b->to == a->from || b->to == a->to)) ||
	       (b_peers && (a->to == b->from || a->to == b->to));
}

static void start(struct tw__rt *rt, struct request *r)
{
	uint64_t bytes = rt->graph->data_bytes[r->data];
	struct tw__run_counters *c = rt->counters;
	r->start_event = tw__rt_record_transfer(rt, r);
	c->transfers++;
	c->transferred_bytes += bytes;
	bool from_accelerator = is_accelerator_memory(rt, r->from), to_accelerator = is_accelerator_memory(rt, r->to);
	if (from_accelerator && to_accelerator)
		c->p2p_bytes += bytes;
	else if (to_accelerator)
		c->h2d_bytes += bytes;
	else if (from_accelerator)
		c->d2h_bytes += bytes;
	if (rt->platform->nodes[r->from].backing == r->to)
		c->writebacks++;
	else
		c->loads++;
	rt->ops->transfer(tw__engine_at(rt), r->from, r->to, r->data, bytes, token_of(&r->activity));
	rt->n_under_way++;
}

/* --- lists of issued transfers by age, one for each memory but main memories ------------------------------------- */

static struct issued_at *issued_at(struct request *r, tw_node n) { return &r->at[r->to == n]; }

static void join(struct tw__rt *rt, struct request *r, tw_node n)
{
	struct issued_list *list = &rt->issued[n];
	if (n < rt->n_mains)
		return;
	issued_at(r, n)->older = list->youngest;
	*(list->youngest ? &issued_at(list->youngest, n)->younger : &list->oldest) = r;
	list->youngest = r;
}

static void leave(struct tw__rt *rt, struct request *r, tw_node n)
{
	struct issued_list *list = &rt->issued[n];
	struct issued_at at = *issued_at(r, n);
	if (n < rt->n_mains)
		return;
	*(at.older ? &issued_at(at.older, n)->younger : &list->oldest) = at.younger;
	*(at.younger ? &issued_at(at.younger, n)->older : &list->youngest) = at.older;
}

/* Returns the next transfer, by age, from two lists: the issued transfers of the request's source, and those of its
 * destination. *from and *to are the positions in these lists. A transfer that is in both lists comes once. */
static struct request *next_neighbour(const struct request *r, struct request **from, struct request **to)
{
	struct request *a = *from, *b = *to, *next = !b || (a && a->issued < b->issued) ? a : b;
	if (a && a == next)
		*from = issued_at(a, r->from)->younger;
	if (b && b == next)
		*to = issued_at(b, r->to)->younger;
	return next;
}

/* --- the beginning and the end of an issued transfer -------------------------------------------------------------- */

void tw__bus_submit(struct tw__rt *rt, struct request *r)
{
	struct request *from = rt->issued[r->from].oldest, *to = rt->issued[r->to].oldest;
	r->conflicts = 0;
	for (const struct request *o; (o = next_neighbour(r, &from, &to));)
		r->conflicts += exclude(rt, o, r);
	r->issued = rt->n_issued++;
	r->at[0] = r->at[1] = (struct issued_at){0};
	join(rt, r, r->from);
	join(rt, r, r->to);
	if (r->conflicts == 0)
		start(rt, r);
}

void tw__bus_done(struct tw__rt *rt, struct request *r, const struct tw__completion *completion)
{
	struct request *from = r->at[0].younger, *to = r->at[1].younger;
	tw__rt_record_landing(rt, r, completion->start, completion->end);
	for (struct request *y; (y = next_neighbour(r, &from, &to));)
		if (exclude(rt, r, y) && --y->conflicts == 0)
			start(rt, y);
	leave(rt, r, r->from);
	leave(rt, r, r->to);
}
