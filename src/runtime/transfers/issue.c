/* Issues requests, and handles landed transfers. An accelerator's thread does so for transfers into and out of its
 * memory. */
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/state/copies.h"
#include "runtime/state/threads.h"
#include "runtime/transfers/channel.h"
#include "runtime/transfers/transfers.h"

enum outcome { OUTCOME_ISSUED, OUTCOME_GONE, OUTCOME_BLOCKED };

static void pin(struct tw_sched *rt, const struct request *r)
{
	tw__copy_pin(rt, r->data, r->from);
	tw__copy_pin(rt, r->data, r->to);
}

/* Whether the request may be dropped, because no task needs the copy at the destination. The remaining waiters only
 * need this transfer finished or cancelled before they write. Write-backs of victims are never dropped. */
static bool is_dispensable(const struct request *r)
{
	for (const struct waiter *w = r->waiters; w; w = w->next)
		if (w->hold->driver->node == r->to)
			return false;
	return !r->followers && r->cause != TW__EVICTION;
}

bool tw__requests_drop(struct tw_sched *rt)
{
	bool any = false;
	for (tw_node n = 0; n < rt->n_nodes; n++)
		for (tw_data d = 0; is_bounded(rt, n) && d < rt->graph->n_data; d++) {
			struct request *r = replicate_of(rt, d, n)->request;
			if (r && r->state == REQUEST_QUEUED && !r->has_room && r->reclaims == TW_NONE &&
			    is_dispensable(r)) {
				tw__request_complete(rt, r);
				any = true;
			}
		}
	return any;
}

static enum outcome issue(struct driver *d, struct request *r, tw__ns *cost)
{
	struct tw_sched *rt = d->rt;
	if (r->state == REQUEST_APART) {
		rt->hooks.turn_has_come(rt, r);
		return OUTCOME_GONE;
	}
	bool room_only = r->from == r->to;
	if (!room_only && is_valid(rt, r->data, r->to)) {
		tw__request_complete(rt, r);
		return OUTCOME_GONE;
	}
	tw__ns allocation_cost = 0;
	bool is_wanted = r->class == CLASS_DEMAND || r->waiters || r->followers;
	if (!is_wanted && !is_allocated(rt, r->data, r->to) && tw__memory_thrashes(rt, r->to)) {
		tw__request_complete(rt, r); /* a demand may need the room that this prefetch would take */
		return OUTCOME_GONE;
	}
	tw__copy_loading(rt, r->data, r->to);
	enum room room = tw__memory_take(rt, r, &allocation_cost);
	if (room == ROOM_NONE && !is_wanted) {
		if (r->class == CLASS_PREFETCH)
			return OUTCOME_BLOCKED; /* the prefetch retries in a later turn; requests behind it wait */
		tw__request_complete(rt, r);    /* an idle write-back without room is dropped */
		return OUTCOME_GONE;
	}
	/* Drops the request: the draining memory may wait for a task that in turn waits for this request. */
	if (room == ROOM_WAIT && tw__memory_drains_for(rt, r->to) && is_dispensable(r)) {
		tw__request_complete(rt, r);
		return OUTCOME_GONE;
	}
	if (room != ROOM_TAKEN)
		return OUTCOME_BLOCKED;
	if (room_only) {
		*cost = allocation_cost;
		tw__request_complete(rt, r);
		return *cost > 0 ? OUTCOME_ISSUED : OUTCOME_GONE;
	}
	tw__request_dequeue(rt, r);
	/* the source copy was evicted meanwhile, or the route begins with a hop to main memory */
	if (!is_valid(rt, r->data, r->from)) {
		*cost = allocation_cost;
		r->has_room = true;
		tw__request_leave_transit(rt, r);
		tw__request_route(rt, r);
		if (rt->status == TW_OK && is_valid(rt, r->data, r->from))
			tw__request_enqueue(rt, r);
		else if (rt->status == TW_OK)
			tw__request_wait_for_hop(rt, r);
		return *cost > 0 ? OUTCOME_ISSUED : OUTCOME_GONE;
	}
	pin(rt, r);
	r->state = REQUEST_ISSUED;
	channel_of(rt, r->from, r->to)->in_flight++;
	d->issuing = r;
	*cost = allocation_cost + rt->cost.transfer_queue;
	return OUTCOME_ISSUED;
}

static bool may_issue(const struct tw_sched *rt, const struct channel *c, enum request_class class)
{
	const int64_t limit[] = {rt->params->demand_limit, rt->params->prefetch_limit, rt->params->idle_limit};
	return c->in_flight < limit[class];
}

/* Whether the request needs no room: its copy has room already, or the request will be dropped. */
static bool needs_no_room(const struct tw_sched *rt, const struct request *r)
{
	return is_allocated(rt, r->data, r->to) || (tw__memory_drains_for(rt, r->to) && is_dispensable(r));
}

/* Issues the first request of one queue, if possible. Requests that need no room may overtake a demand that waits for
 * room. */
static enum outcome serve(struct driver *d, struct channel *c, enum request_class class, tw__ns *cost)
{
	enum outcome outcome = OUTCOME_BLOCKED;
	while (c->queue[class].n && may_issue(d->rt, c, class) && d->rt->status == TW_OK) {
		outcome = issue(d, tw__queue_first(&c->queue[class]), cost);
		if (outcome == OUTCOME_BLOCKED && class == CLASS_DEMAND) {
			struct request *r = tw__queue_first_that(d->rt, &c->queue[class], needs_no_room);
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
	const tw_node nodes[] = {d->node, TW_RAM};
	for (int i = 0; i < 2; i++) {
		struct request *r = tw__memory_beneficiary(d->rt, nodes[i]);
		if (r && !tw__memory_has_victim(d->rt, nodes[i]) && r->state == REQUEST_QUEUED &&
		    issuer_of(d->rt, r->from, r->to) == d && issue(d, r, cost) == OUTCOME_ISSUED)
			return true;
	}
	return false;
}

/* Issues one request. Transfers into the thread's memory go first, by class (demand, prefetch, idle), then transfers to
 * main memory by class. */
bool tw__request_issue(struct driver *d, tw__ns *cost)
{
	if (serve_beneficiary(d, cost))
		return true;
	struct tw_sched *rt = d->rt;
	const tw_node n = d->node;
	if (!tw_id_set_has(&rt->moving, d->id))
		return false;
	for (int class = 0; class < N_CLASSES; class ++) {
		const uint64_t *lanes = d->waiting + (size_t) class * rt->lane_words;
		for (int from = 0; (from = tw__bit_next(lanes, rt->node_words, from)) >= 0 && from < rt->n_nodes;
		     from++)
			if (serve(d, channel_of(rt, from, n), (enum request_class) class, cost) == OUTCOME_ISSUED)
				return true;
	}
	for (int class = 0; class < N_CLASSES; class ++)
		if (tw__bit(d->waiting + (size_t) class * rt->lane_words, rt->n_nodes) &&
		    serve(d, channel_of(rt, n, TW_RAM), (enum request_class) class, cost) == OUTCOME_ISSUED)
			return true;
	return false;
}

/* --- handling landed transfers ------------------------------------------------------------------------------------ */

static void land(struct tw_sched *rt, struct request *r)
{
	tw_data d = r->data;
	tw_node to = r->to, from = r->from;
	channel_of(rt, from, to)->in_flight--;
	tw__copy_validate(rt, d, to);
	/* A prefetch for writing moves the ownership of the handle when it lands, unless other requests for the handle
	 * are pending. */
	bool owns = (r->mode & TW_W) && rt->data[d].n_requests == 1;
	tw_node reclaims = r->reclaims;
	if (rt->in->policy->data_loaded)
		rt->in->policy->data_loaded(rt, rt->policy_state, d, to);
	tw__request_complete(rt, r);
	tw__copy_unpin(rt, d, to);
	tw__copy_unpin(rt, d, from);
	if (owns)
		tw__own(rt, d, to);
	if (reclaims != TW_NONE) /* only now, because the victim's copy must be unpinned */
		tw__memory_written_back(rt, reclaims);
	tw__memory_emptied_of(rt, d, from);
}

bool tw__request_any(const struct driver *d)
{
	const struct tw_sched *rt = d->rt;
	return tw_id_set_has(&rt->moving, d->id) || tw__memory_beneficiary(rt, d->node) ||
	       tw__memory_beneficiary(rt, TW_RAM);
}

bool tw__request_notice(struct driver *d)
{
	if (!d->landed)
		return false;
	while (d->landed) {
		struct request *r = d->landed;
		d->landed = r->next;
		if (!d->landed)
			d->landed_end = &d->landed;
		land(d->rt, r);
	}
	tw__update_moving(d);
	return true;
}
