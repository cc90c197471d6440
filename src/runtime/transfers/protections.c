/* For which tasks in queues a copy is protected against eviction by other prefetches: see claims.c. */
#include "runtime/transfers/protections.h"

#include "runtime/memory/copy.h"
#include "runtime/transfers/transfers.h"

bool tw__claim_is_current(const struct tw_sched *rt, const struct request *r)
{
	const struct prefetched *p = &rt->prefetched[r->claimant];
	return p->node == r->to && p->moves == r->claim_moves;
}

/* In a queue of that memory. */
bool tw__claim_still_waits(const struct tw_sched *rt, const struct request *r)
{
	return rt->remaining[r->claimant] != UINT32_MAX && tw__claim_is_current(rt, r);
}

/* Where it is noted that the task's prefetch of a data awaits its turn. */
bool *tw__claim_awaits_turn(struct tw_sched *rt, tw_task t, tw_data d)
{
	uint32_t a = rt->graph->access_start[t];
	while (tw__access_data(rt->graph->access[a]) != d)
		a++;
	return &rt->awaits_turn[a];
}

/* The task's own request may load the data yet, or does. */
static bool has_not_protected(struct tw_sched *rt, tw_task t, tw_data d, tw_node n)
{
	const struct request *r = replicate_of(rt, d, n)->request;
	if (r && r->claimant == t && tw__claim_is_current(rt, r))
		return true;
	return *tw__claim_awaits_turn(rt, t, d) && !(r && is_loading(rt, d, n));
}

void tw__claim_served(struct tw_sched *rt, const struct request *r)
{
	if (r->claimant != TW_NONE && is_valid(rt, r->data, r->to) && tw__claim_still_waits(rt, r))
		tw__copy_protect(rt, r->data, r->to, 1);
}

void tw__claim_popped(struct tw_sched *rt, tw_task t, tw_data d, tw_node n)
{
	/* Where the data is there, or on its way for another, StarPU takes back a protection even if the task's own request has
	 * not given any: it is another's then. */
	if (is_valid(rt, d, n) || !has_not_protected(rt, t, d, n))
		tw__copy_protect(rt, d, n, -1);
	*tw__claim_awaits_turn(rt, t, d) = false;
}

void tw__claims_drop(struct tw_sched *rt, tw_task t)
{
	const struct tw_graph *g = rt->graph;
	tw_node n = rt->prefetched[t].node;
	if (n == TW_NONE)
		return;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		if (!(tw__access_mode(g->access[a]) & TW_R))
			continue;
		if (!rt->awaits_turn[a] && !has_not_protected(rt, t, d, n))
			tw__copy_protect(rt, d, n, -1);
		rt->awaits_turn[a] = false;
	}
	rt->prefetched[t].node = TW_NONE;
}
