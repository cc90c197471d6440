/* Claims: what tasks in queues have prefetched, and its protection against eviction by other prefetches.
 *
 * As in StarPU 1.4 (runtime parameter prefetch_apart), each task has a request of its own for each of its data that is not
 * there: a claim, in the queue of prefetches by its task's priority. What comes of it is settled when its turn comes. The
 * data is there: it is protected for that task. It is on its way for another one: that is as good, but protects nothing.
 * Else the claim loads it, and protects it once it has landed.
 *
 * When the task is popped, its protection ends; a claim of its own that has not protected anything yet never will.
 *
 * Without that parameter, as before 1.4, tasks share a request, and each protects at once. */
#include "runtime/runtime.h"

static bool is_current(const struct tw_sched *rt, const struct request *r)
{
	const struct prefetched *p = &rt->prefetched[r->claimant];
	return p->node == r->to && p->moves == r->claim_moves;
}

/* In a queue of that memory. */
static bool still_waits(const struct tw_sched *rt, const struct request *r)
{
	return rt->remaining[r->claimant] != UINT32_MAX && is_current(rt, r);
}

/* Where it is noted that the task's prefetch of a data awaits its turn. */
static bool *awaits_turn(struct tw_sched *rt, tw_task t, tw_data d)
{
	uint32_t a = rt->graph->access_start[t];
	while (tw__access_data(rt->graph->access[a]) != d)
		a++;
	return &rt->awaits_turn[a];
}

void tw__claim(struct tw_sched *rt, tw_task t, tw_data d, tw_node to, unsigned mode)
{
	int32_t priority = tw_task_priority(rt, t);
	if (!rt->params->prefetch_apart || !is_bounded(rt, to) || is_valid(rt, d, to) || rt->data[d].n_writers) {
		tw__copy_protect(rt, d, to, 1);
		tw__prefetch(rt, d, to, mode, priority, CLASS_PREFETCH);
		return;
	}
	struct request *r = tw__request_create(rt, d, to, mode, CLASS_PREFETCH, TW__PREFETCH, priority);
	if (!r)
		return;
	r->claimant = t;
	r->claim_moves = rt->prefetched[t].moves;
	r->is_claim = true;
	*awaits_turn(rt, t, d) = true;
	tw__copy_claim(rt, d, to, 1);
	tw__request_send(rt, r);
}

void tw__claim_settle(struct tw_sched *rt, struct request *r)
{
	tw_data d = r->data;
	tw_node to = r->to;
	struct request *other = replicate_of(rt, d, to)->request;
	bool waits = still_waits(rt, r);
	tw__request_dequeue(rt, r);
	tw__copy_claim(rt, d, to, -1);
	r->is_claim = false;
	if (is_current(rt, r))
		*awaits_turn(rt, r->claimant, d) = false;
	if (waits && is_valid(rt, d, to)) {
		tw__copy_protect(rt, d, to, 1);
		tw__prefetch(rt, d, to, r->mode, r->priority, CLASS_PREFETCH); /* it may be for writing */
	} else if (waits && other && !is_loading(rt, d, to)) { /* whose turn has not come: they are one from now on */
		tw__copy_protect(rt, d, to, 1);
		other->mode |= r->mode;
	} else if (waits && !other && rt->data[d].n_valid && !rt->data[d].n_writers) {
		tw__copy_wish(rt, d, to, r);
		tw__request_send(rt, r);
		return;
	}
	tw__request_free(rt, r);
}

void tw__claim_served(struct tw_sched *rt, const struct request *r)
{
	if (r->claimant != TW_NONE && is_valid(rt, r->data, r->to) && still_waits(rt, r))
		tw__copy_protect(rt, r->data, r->to, 1);
}

/* The task's own request may load the data yet, or does. */
static bool has_not_protected(struct tw_sched *rt, tw_task t, tw_data d, tw_node n)
{
	const struct request *r = replicate_of(rt, d, n)->request;
	if (r && r->claimant == t && is_current(rt, r))
		return true;
	return *awaits_turn(rt, t, d) && !(r && is_loading(rt, d, n));
}

void tw__claim_popped(struct tw_sched *rt, tw_task t, tw_data d, tw_node n)
{
	/* Where the data is there, or on its way for another, StarPU takes back a protection even if the task's own request has
	 * not given any: it is another's then. */
	if (is_valid(rt, d, n) || !has_not_protected(rt, t, d, n))
		tw__copy_protect(rt, d, n, -1);
	*awaits_turn(rt, t, d) = false;
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
