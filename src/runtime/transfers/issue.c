/* Issues requests, and handles landed transfers. An accelerator's thread does so for transfers into and out of its
 * memory. */
#include "runtime/memory/memory.h"
#include "runtime/transfers/channel.h"
#include "runtime/transfers/transfers.h"

enum outcome { OUTCOME_ISSUED, OUTCOME_GONE, OUTCOME_BLOCKED };

/* Goes on with a request that has its room, and whose source copy was evicted meanwhile. The request chooses another
 * source, or waits for a first hop to main memory. */
static void change_source(struct tw__rt *rt, struct request *r)
{
	r->has_room = true;
	tw__request_leave_transit(rt, r);
	tw__request_route(rt, r);
	if (rt->status == TW_OK && is_valid(rt, r->data, r->from))
		tw__request_enqueue(rt, r);
	else if (rt->status == TW_OK)
		tw__request_wait_for_hop(rt, r);
}

static enum outcome issue(struct driver *d, struct request *r, tw__ns *cost)
{
	struct tw__rt *rt = d->rt;
	bool room_only = r->from == r->to;
	if (r->state == REQUEST_APART) {
		tw__prefetch_turn(rt, r);
		return OUTCOME_GONE;
	}
	enum acquired acquired = ACQUIRE_NEVER;
	tw__ns allocation_cost = 0;
	if (room_only || !is_valid(rt, r->data, r->to))
		acquired = tw__memory_acquire(rt, r, &allocation_cost);
	if (acquired == ACQUIRE_LATER)
		return OUTCOME_BLOCKED; /* requests behind it wait, too */
	if (acquired == ACQUIRE_NEVER) {
		tw__request_complete(rt, r);
		return OUTCOME_GONE;
	}
	*cost = allocation_cost;
	if (room_only) {
		tw__request_complete(rt, r);
		return *cost > 0 ? OUTCOME_ISSUED : OUTCOME_GONE;
	}
	tw__request_dequeue(rt, r);
	if (acquired == ACQUIRED_ROOM) {
		change_source(rt, r);
		return *cost > 0 ? OUTCOME_ISSUED : OUTCOME_GONE;
	}
	r->state = REQUEST_ISSUED;
	channel_of(rt, r->from, r->to)->in_flight++;
	d->issuing = r;
	*cost += rt->cost.transfer_queue;
	return OUTCOME_ISSUED;
}

static bool may_issue(const struct tw__rt *rt, const struct channel *c, enum request_class class)
{
	const int64_t limit[] = {rt->params->demand_limit, rt->params->prefetch_limit, rt->params->idle_limit};
	return c->in_flight < limit[class];
}

/* Issues the first request of one queue, if possible. Requests that need no room may overtake a demand that waits for
 * room. */
static enum outcome serve(struct driver *d, struct channel *c, enum request_class class, tw__ns *cost)
{
	enum outcome outcome = OUTCOME_BLOCKED;
	while (c->queue[class].n && may_issue(d->rt, c, class) && d->rt->status == TW_OK) {
		outcome = issue(d, tw__queue_first(&c->queue[class]), cost);
		if (outcome == OUTCOME_BLOCKED && class == CLASS_DEMAND) {
			struct request *r = tw__queue_first_that(d->rt, &c->queue[class], tw__memory_needs_no_room);
			if (r)
				outcome = issue(d, r, cost);
		}
		if (outcome != OUTCOME_GONE)
			break;
	}
	return outcome;
}

/* Issues the request for which a memory has made room, before all others. The request had its turn when it asked for
 * room. So neither the order of the queue nor the limit of the channel delays it again. */
static bool serve_beneficiary(struct driver *d, tw__ns *cost)
{
	if (!d->rt->n_making_room)
		return false;
	for (tw_node i = 0; i <= d->rt->n_mains; i++) {
		const tw_node n = i ? i - 1 : d->node;
		struct request *r = d->rt->pressure[n].beneficiary;
		if (r && d->rt->pressure[n].victim == TW_NONE && r->state == REQUEST_QUEUED &&
		    issuer_of(d->rt, r->from, r->to) == d && issue(d, r, cost) == OUTCOME_ISSUED)
			return true;
	}
	return false;
}

/* Issues one request. Transfers into the thread's memory go first, by class (demand, prefetch, idle), then transfers to
 * main memories by class. */
bool tw__request_issue(struct driver *d, tw__ns *cost)
{
	if (serve_beneficiary(d, cost))
		return true;
	struct tw__rt *rt = d->rt;
	const tw_node n = d->node;
	if (!tw_id_set_has(&rt->moving, d->id))
		return false;
	const size_t words = rt->lane_words;
	const uint64_t *lanes = d->waiting;
	for (int class = 0; class < N_CLASSES; class ++, lanes += words)
		for (int from = 0; (from = tw__bit_next(lanes, rt->node_words, from)) >= 0 && from < rt->n_nodes;
		     from++)
			if (serve(d, channel_of(rt, from, n), (enum request_class) class, cost) == OUTCOME_ISSUED)
				return true;
	lanes = d->waiting;
	for (int class = 0; class < N_CLASSES; class ++, lanes += words) {
		tw_node to = 0;
		do {
			if (tw__bit(lanes, rt->n_nodes + to) &&
			    serve(d, channel_of(rt, n, to), (enum request_class) class, cost) == OUTCOME_ISSUED)
				return true;
		} while (++to < rt->n_mains);
	}
	return false;
}

bool tw__request_any(const struct driver *d)
{
	const struct tw__rt *rt = d->rt;
	if (tw_id_set_has(&rt->moving, d->id))
		return true;
	bool any = beneficiary_of(rt, d->node);
	for (tw_node n = 0; rt->n_making_room && n < rt->n_mains; n++)
		any |= beneficiary_of(rt, n) != NULL;
	return any;
}

void tw__request_notice(struct driver *d)
{
	while (d->landed) {
		struct request *r = d->landed;
		d->landed = r->behind;
		if (!d->landed)
			d->landed_end = &d->landed;
		channel_of(d->rt, r->from, r->to)->in_flight--;
		tw__request_complete(d->rt, r);
	}
	tw__update_moving(d);
	d->progress = true;
}
