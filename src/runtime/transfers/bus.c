/* Which transfers exclude each other. An issued transfer starts when no older one that excludes it is left, queued
 * ones included; those that may run together share links in the engine. Engines with TW__ENGINE_ONE_BY_ONE are given all of an ordered
 * pair at once, and do them in that order. */
#include "runtime/transfers/transfers.h"

static bool is_accelerator_memory(const struct tw_sched *rt, tw_node n)
{
	return rt->memory[n].driver && rt->memory[n].driver->accelerator;
}

/* The memories at both ends but main memory, as bits modulo 64. Transfers without a common bit cannot exclude each
 * other. */
static uint64_t ends_of(const struct request *r)
{
	return (r->from == TW_RAM ? 0 : (uint64_t)1 << r->from % 64) |
	       (r->to == TW_RAM ? 0 : (uint64_t)1 << r->to % 64);
}

static bool exclude(const struct tw_sched *rt, const struct request *a, const struct request *b)
{
	if (!(a->ends & b->ends))
		return false;
	if (a->from == b->from && a->to == b->to)
		return !(rt->ops->caps & TW__ENGINE_ONE_BY_ONE);
	if (rt->only_channels)
		return false;
	bool a_peers = is_accelerator_memory(rt, a->from) && is_accelerator_memory(rt, a->to);
	bool b_peers = is_accelerator_memory(rt, b->from) && is_accelerator_memory(rt, b->to);
	return (a_peers && a->from == b->to && a->to == b->from) || (a_peers && (b->to == a->from || b->to == a->to)) ||
	       (b_peers && (a->to == b->from || a->to == b->to));
}

static void start(struct tw_sched *rt, struct request *r)
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
	int status = rt->ops->transfer(rt->engine, r->from, r->to, r->data, bytes, token_of(&r->activity));
	if (status != TW_OK)
		tw__rt_fail(rt, status, "engine '%s': out of memory to start a transfer", rt->ops->name);
	else
		rt->n_under_way++;
}

void tw__bus_submit(struct tw_sched *rt, struct request *r)
{
	r->conflicts = 0;
	r->ends = ends_of(r);
	for (const struct request *o = rt->oldest; o; o = o->younger)
		r->conflicts += exclude(rt, o, r);
	r->older = rt->youngest;
	r->younger = NULL;
	if (rt->youngest)
		rt->youngest->younger = r;
	else
		rt->oldest = r;
	rt->youngest = r;
	if (r->conflicts == 0)
		start(rt, r);
}

void tw__bus_done(struct tw_sched *rt, struct request *r, const struct tw__completion *completion)
{
	tw__rt_record_landing(rt, r, completion->start, completion->end);
	for (struct request *y = r->younger; y; y = y->younger)
		if (exclude(rt, r, y) && --y->conflicts == 0)
			start(rt, y);
	if (r->older)
		r->older->younger = r->younger;
	else
		rt->oldest = r->younger;
	if (r->younger)
		r->younger->older = r->older;
	else
		rt->youngest = r->older;
}
