/* Requests: the wish for a valid copy of a data on a node, from the asking to the landing.
 *
 * Each ordered pair of memories has three queues, one per class, each by priority and then age. One thread issues the
 * transfers of an accelerator's memory, in both directions, and notices their ends. */
#include "runtime/runtime.h"

#include <math.h>
#include <stdlib.h>

/* --- making and ending ------------------------------------------------------------------------------------------ */

struct request *tw__request_create(struct tw_sched *rt, tw_data d, tw_node to, unsigned mode, enum request_class class,
                                   enum tw__cause cause, int32_t priority)
{
	struct request *r = rt->unused_requests;
	if (r) {
		rt->unused_requests = r->next;
	} else {
		r = malloc(sizeof *r);
		if (!r) {
			tw__rt_fail(rt, TW_NOMEM, "out of memory for a transfer request");
			return NULL;
		}
		r->next_of_all = rt->all_requests;
		rt->all_requests = r;
	}
	*r = (struct request){.data = d,
	                      .from = to,
	                      .to = to,
	                      .mode = mode,
	                      .class = class,
	                      .cause = cause,
	                      .priority = priority,
	                      .queued.place = -1,
	                      .sequence = rt->sequence++,
	                      .reclaims = TW_NONE,
	                      .claimant = TW_NONE,
	                      .next_of_all = r->next_of_all};
	return r;
}

void tw__request_free(struct tw_sched *rt, struct request *r)
{
	r->next = rt->unused_requests;
	rt->unused_requests = r;
}

/* Those that have room already, so that none is held in vain; then by priority; then by age. */
bool tw__request_before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	const struct request *a = TW__CONTAINER(x, const struct request, queued);
	const struct request *b = TW__CONTAINER(y, const struct request, queued);
	if (a->has_room != b->has_room)
		return a->has_room;
	return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
}

/* The thread of the receiving memory; of the sending one when that goes to main memory. */
struct driver *tw__issuer(const struct tw_sched *rt, tw_node from, tw_node to)
{
	return rt->memory[to == TW_RAM ? from : to].driver;
}

/* Notes whether requests of that class wait for the channel. */
static void note_waiting(struct tw_sched *rt, const struct request *r, bool waiting)
{
	uint64_t *lanes = tw__issuer(rt, r->from, r->to)->waiting;
	tw__bit_put(lanes + r->class * rt->lane_words, lane_of(rt, r->from, r->to), waiting);
}

static void enqueue(struct tw_sched *rt, struct request *r)
{
	struct channel *c = channel_of(rt, r->from, r->to);
	r->state = REQUEST_QUEUED;
	if (!c->used) {
		c->used = true;
		c->next_used = rt->used_channels;
		rt->used_channels = c;
	}
	if (tw__heap_push(&c->queue[r->class], &r->queued, tw__request_before))
		tw__rt_fail(rt, TW_NOMEM, "out of memory for a transfer request");
	note_waiting(rt, r, true);
	tw__rt_signal(tw__issuer(rt, r->from, r->to));
}

void tw__request_dequeue(struct tw_sched *rt, struct request *r)
{
	if (r->queued.place < 0)
		return;
	struct tw__heap *queue = &channel_of(rt, r->from, r->to)->queue[r->class];
	tw__heap_remove(queue, &r->queued, tw__request_before);
	if (!queue->n)
		note_waiting(rt, r, false);
}

/* The valid copy with the least predicted time; TW_NONE: there is none. */
static tw_node best_source(struct tw_sched *rt, tw_data d, tw_node to)
{
	double bytes = (double)rt->graph->data_bytes[d], best = INFINITY;
	tw_node from = TW_NONE;
	for (tw_node n = 0; (n = next_node(rt, d, VALID_ON, n)) >= 0; n++) {
		int way = n * rt->n_nodes + to;
		double time = rt->latency[way] + bytes * rt->inverse_bandwidth[way];
		if (n != to && time < best) {
			best = time;
			from = n;
		}
	}
	return from;
}

static bool has_route(const struct tw_sched *rt, tw_node from, tw_node to)
{
	return tw__route_of(rt->platform, from, to)->n_links > 0;
}

/* Chooses from where the request is served: main memory where no route leads there directly. */
static void route(struct tw_sched *rt, struct request *r)
{
	r->from = best_source(rt, r->data, r->to);
	if (r->from == TW_NONE)
		tw__rt_fail(rt, TW_FAILED, "data %d is valid nowhere", (int)r->data);
	else if (!has_route(rt, r->from, r->to))
		r->from = TW_RAM;
}

void tw__request_send(struct tw_sched *rt, struct request *r)
{
	if (r->from == r->to || !is_valid(rt, r->data, r->from))
		route(rt, r);
	if (rt->status == TW_OK)
		enqueue(rt, r);
}

/* It waits for a first hop, to main memory. Its own room is taken by now, so the copy there need not wait for it: such
 * copies are held, and can fill a bounded main memory for no longer than a transfer takes. */
static void wait_for_hop(struct tw_sched *rt, struct request *r)
{
	/* As urgent as a demand, whatever it is for: a prefetch that waited for room there would keep the room it has. */
	struct request *hop = tw__request(rt, r->data, TW_RAM, TW_R, CLASS_DEMAND, r->cause, r->priority);
	if (!hop)
		return;
	r->state = REQUEST_AFTER_HOP;
	r->next_follower = hop->followers;
	hop->followers = r;
}

static void enter_transit(struct tw_sched *rt, struct request *r)
{
	r->in_transit = is_valid(rt, r->data, r->from);
	if (r->in_transit)
		tw__copy_pin(rt, r->data, r->from);
}

static void leave_transit(struct tw_sched *rt, struct request *r)
{
	if (r->in_transit)
		tw__copy_unpin(rt, r->data, r->from);
	r->in_transit = false;
}

struct request *tw__request(struct tw_sched *rt, tw_data d, tw_node to, unsigned mode, enum request_class class,
                            enum tw__cause cause, int32_t priority)
{
	struct replicate *copy = replicate_of(rt, d, to);
	if (copy->request) {
		copy->request->mode |= mode;
		if (cause == TW__EVICTION)
			copy->request->cause = cause;
		tw__request_promote(rt, copy->request, class, priority);
		return copy->request;
	}
	bool fetches = (mode & TW_R) && !is_valid(rt, d, to);
	if (!fetches && is_allocated(rt, d, to))
		return NULL;
	struct request *r = tw__request_create(rt, d, to, mode, class, cause, priority);
	if (!r)
		return NULL;
	tw__copy_wish(rt, d, to, r);
	if (fetches)
		tw__request_send(rt, r);
	else
		enqueue(rt, r); /* for room alone */
	return r;
}

void tw__request_promote(struct tw_sched *rt, struct request *r, enum request_class class, int32_t priority)
{
	if (class > r->class || (class == r->class && priority <= r->priority))
		return;
	bool queued = r->state == REQUEST_QUEUED;
	if (queued)
		tw__request_dequeue(rt, r);
	if (class < r->class) {
		r->class = class;
		if (r->cause != TW__EVICTION)
			r->cause = class == CLASS_DEMAND ? TW__DEMAND : TW__PREFETCH;
	}
	if (priority > r->priority)
		r->priority = priority;
	if (queued)
		enqueue(rt, r);
	else if (r->state == REQUEST_AFTER_HOP && replicate_of(rt, r->data, r->from)->request)
		tw__request_promote(rt, replicate_of(rt, r->data, r->from)->request, class, priority);
}

void tw__request_wait(struct tw_sched *rt, struct request *r, struct hold *hold)
{
	struct waiter *w = rt->unused_waiters;
	if (w) {
		rt->unused_waiters = w->next;
	} else {
		w = malloc(sizeof *w);
		if (!w) {
			tw__rt_fail(rt, TW_NOMEM, "out of memory for a transfer request");
			return;
		}
		w->next_of_all = rt->all_waiters;
		rt->all_waiters = w;
	}
	w->hold = hold;
	w->next = r->waiters;
	r->waiters = w;
	hold->missing++;
}

/* The request is served, or has become pointless: whoever waited goes on. */
void tw__request_complete(struct tw_sched *rt, struct request *r)
{
	tw__request_dequeue(rt, r);
	tw__copy_wish(rt, r->data, r->to, NULL);
	tw__claim_served(rt, r);
	tw__memory_made_room(rt, r);
	leave_transit(rt, r);
	if (r->reclaims != TW_NONE && r->state != REQUEST_LANDED)
		tw__memory_written_back(rt, r->reclaims); /* there was nothing to copy */
	while (r->waiters) {
		struct waiter *w = r->waiters;
		r->waiters = w->next;
		if (--w->hold->missing == 0)
			tw__rt_signal(w->hold->driver);
		w->next = rt->unused_waiters;
		rt->unused_waiters = w;
	}
	while (r->followers) {
		struct request *f = r->followers;
		r->followers = f->next_follower;
		enter_transit(rt, f);
		enqueue(rt, f);
	}
	tw__request_free(rt, r);
}

/* --- issuing ---------------------------------------------------------------------------------------------------- */

enum outcome { OUTCOME_ISSUED, OUTCOME_GONE, OUTCOME_BLOCKED };

static void pin(struct tw_sched *rt, const struct request *r)
{
	tw__copy_pin(rt, r->data, r->from);
	tw__copy_pin(rt, r->data, r->to);
}

/* Nobody waits for the copy there. Who waits for it elsewhere is about to write the data: all that he needs is that it
 * is over. Write-backs make room. */
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
	if (r->is_claim) {
		tw__claim_settle(rt, r);
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
		tw__request_complete(rt, r); /* it could keep a demand from its room for ever */
		return OUTCOME_GONE;
	}
	tw__copy_loading(rt, r->data, r->to);
	enum room room = tw__memory_take(rt, r, &allocation_cost);
	if (room == ROOM_NONE && !is_wanted) {
		if (r->class == CLASS_PREFETCH)
			return OUTCOME_BLOCKED; /* tries again later, and stops its queue for this turn */
		tw__request_complete(rt, r);    /* idle copies give up */
		return OUTCOME_GONE;
	}
	/* A memory that is being emptied may wait for the very writers that wait for this. */
	if (room == ROOM_WAIT && rt->memory[r->to].emptied_for && is_dispensable(r)) {
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
	if (!is_valid(rt, r->data, r->from)) { /* its source has left meanwhile, or a hop must come first */
		*cost = allocation_cost;
		r->has_room = true;
		leave_transit(rt, r);
		route(rt, r);
		if (rt->status == TW_OK && is_valid(rt, r->data, r->from))
			enqueue(rt, r);
		else if (rt->status == TW_OK)
			wait_for_hop(rt, r);
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

/* The first that needs no room: it has it already, or is to be dropped; NULL: none. */
static struct request *first_without_need(const struct tw_sched *rt, const struct tw__heap *queue)
{
	struct request *first = NULL;
	for (int i = 0; i < queue->n; i++) {
		struct request *r = TW__CONTAINER(queue->items[i], struct request, queued);
		bool needs_none =
			is_allocated(rt, r->data, r->to) || (rt->memory[r->to].emptied_for && is_dispensable(r));
		if (needs_none && (!first || tw__request_before(&r->queued, &first->queued)))
			first = r;
	}
	return first;
}

/* Issues the head of one queue, if it can be. A demand that waits for room lets those pass that need none. */
static enum outcome serve(struct driver *d, struct channel *c, enum request_class class, tw__ns *cost)
{
	enum outcome outcome = OUTCOME_BLOCKED;
	while (c->queue[class].n && may_issue(d->rt, c, class) && d->rt->status == TW_OK) {
		outcome = issue(d, TW__CONTAINER(tw__heap_top(&c->queue[class]), struct request, queued), cost);
		if (outcome == OUTCOME_BLOCKED && class == CLASS_DEMAND) {
			struct request *r = first_without_need(d->rt, &c->queue[class]);
			if (r)
				outcome = issue(d, r, cost);
		}
		if (outcome != OUTCOME_GONE)
			break;
	}
	return outcome;
}

/* The request that room was made for goes first, whoever has come before it in its queue and whatever else has been
 * issued meanwhile: it was its turn when it asked. */
static bool serve_beneficiary(struct driver *d, tw__ns *cost)
{
	const tw_node nodes[] = {d->node, TW_RAM};
	for (int i = 0; i < 2; i++) {
		const struct memory *m = &d->rt->memory[nodes[i]];
		struct request *r = m->beneficiary;
		if (r && m->reclaiming == TW_NONE && r->state == REQUEST_QUEUED &&
		    tw__issuer(d->rt, r->from, r->to) == d && issue(d, r, cost) == OUTCOME_ISSUED)
			return true;
	}
	return false;
}

/* Inwards: demand of all peers, then prefetch, then idle; then what goes to main memory. */
bool tw__request_issue(struct driver *d, tw__ns *cost)
{
	if (serve_beneficiary(d, cost))
		return true;
	struct tw_sched *rt = d->rt;
	const tw_node n = d->node;
	if (!d->waiting)
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

/* --- landing ---------------------------------------------------------------------------------------------------- */

static void land(struct tw_sched *rt, struct request *r)
{
	tw_data d = r->data;
	tw_node to = r->to, from = r->from;
	channel_of(rt, from, to)->in_flight--;
	tw__copy_validate(rt, d, to);
	/* A prefetch for writing moves the ownership now, unless others still copy the data. */
	bool owns = (r->mode & TW_W) && rt->data[d].n_requests == 1;
	tw_node reclaims = r->reclaims;
	if (rt->in->policy->data_loaded)
		rt->in->policy->data_loaded(rt, rt->policy_state, d, to);
	tw__request_complete(rt, r);
	tw__copy_unpin(rt, d, to);
	tw__copy_unpin(rt, d, from);
	if (owns)
		tw__own(rt, d, to);
	if (reclaims != TW_NONE) /* now that nothing holds the copy */
		tw__memory_written_back(rt, reclaims);
	tw__unjam_written_back(rt, d, from);
}

bool tw__request_any(const struct driver *d)
{
	const struct tw_sched *rt = d->rt;
	if (d->landed || rt->memory[d->node].beneficiary || rt->memory[TW_RAM].beneficiary)
		return true;
	for (size_t i = 0; d->waiting && i < N_CLASSES * rt->lane_words; i++)
		if (d->waiting[i])
			return true;
	return false;
}

bool tw__request_notice(struct driver *d)
{
	bool any = false;
	while (d->landed) {
		struct request *r = d->landed;
		d->landed = r->next;
		if (!d->landed)
			d->landed_end = &d->landed;
		land(d->rt, r);
		any = true;
	}
	return any;
}

void tw__requests_finish(struct tw_sched *rt)
{
	while (rt->all_requests) {
		struct request *r = rt->all_requests;
		rt->all_requests = r->next_of_all;
		free(r);
	}
	while (rt->all_waiters) {
		struct waiter *w = rt->all_waiters;
		rt->all_waiters = w->next_of_all;
		free(w);
	}
}
