/* Requests for valid copies, from creation to completion; their state at the start and the end of a run. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "graph/reduction.h"
#include "runtime/memory/memory.h"
#include "runtime/state/wakeups.h"
#include "runtime/transfers/channel.h"
#include "runtime/transfers/transfers.h"

/* --- creating and freeing requests -------------------------------------------------------------------------------- */

enum { REQUESTS_AT_ONCE = 64 };

/* Returns the first unused request. If there is none, makes some. */
static struct request *unused_request(struct tw__rt *rt)
{
	if (rt->unused_requests)
		return rt->unused_requests;
	struct request *r = tw__arena_alloc(rt->transfers_memory, REQUESTS_AT_ONCE, sizeof *r);
	for (int i = 0; i < REQUESTS_AT_ONCE - 1; i++)
		r[i].behind = &r[i + 1];
	return rt->unused_requests = r;
}

struct request *tw__request_create(struct tw__rt *rt, tw_data d, tw_node to, unsigned mode, enum request_class class,
                                   enum tw__cause cause, int32_t priority)
{
	struct request *r = unused_request(rt);
	rt->unused_requests = r->behind;
	*r = (struct request){.activity = {ACTIVITY_TRANSFER},
	                      .data = d,
	                      .from = (int16_t)to,
	                      .to = (int16_t)to,
	                      .mode = (uint8_t)mode,
	                      .class = class,
	                      .cause = cause,
	                      .priority = priority,
	                      .queued.place = -1,
	                      .sequence = rt->sequence++,
	                      .reclaims = TW_NONE,
	                      .task = TW_NONE};
	return r;
}

void tw__request_free(struct tw__rt *rt, struct request *r)
{
	r->behind = rt->unused_requests;
	rt->unused_requests = r;
}

/* --- choosing the source of a request ----------------------------------------------------------------------------- */

/* Returns the node with the valid copy whose transfer has the shortest predicted time; TW_NONE: no copy is valid. */
static tw_node best_source(struct tw__rt *rt, tw_data d, tw_node to)
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

static bool has_route(const struct tw__rt *rt, tw_node from, tw_node to)
{
	return tw__route_of(rt->platform, from, to)->n_links > 0;
}

/* Returns a memory on the way between two memories without a route: the main memory of one that is none itself. */
static tw_node between(const struct tw__rt *rt, tw_node from, tw_node to)
{
	return rt->platform->nodes[to < rt->n_mains ? from : to].main;
}

void tw__touch_first(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (d >= tw__graph_own_data(rt->graph) || !tw__bit(rt->untouched, d))
		return;
	tw__bit_put(rt->untouched, d, false);
	tw__memory_own(rt, d, tw__touched_home(rt->homes, rt->platform->nodes[n].main), true);
}

/* Chooses the source of the request: the fastest one, or a main memory if no direct route exists from there. */
void tw__request_route(struct tw__rt *rt, struct request *r)
{
	tw__touch(rt, r->data, r->to);
	r->from = (int16_t)best_source(rt, r->data, r->to);
	if (r->from == TW_NONE)
		tw__rt_fail(rt, TW_FAILED, "data %d is valid nowhere", (int)r->data);
	else if (!has_route(rt, r->from, r->to))
		r->from = (int16_t)between(rt, r->from, r->to);
}

void tw__request_send(struct tw__rt *rt, struct request *r)
{
	if (r->from == r->to || !is_valid(rt, r->data, r->from))
		tw__request_route(rt, r);
	if (rt->status == TW_OK)
		tw__request_enqueue(rt, r);
}

/* Whether a request waits for a hop, by way of others perhaps, which is the other request. */
static bool waits_for(const struct tw__rt *rt, const struct request *r, const struct request *other)
{
	while (r && r != other)
		r = r->state == REQUEST_AFTER_HOP ? replicate_of(rt, r->data, r->from)->request : NULL;
	return r;
}

/* Lets a request no longer wait for a hop: it goes on from a valid copy with a route to it. There must be one. */
static void go_on_directly(struct tw__rt *rt, struct request *r)
{
	struct request **link = &replicate_of(rt, r->data, r->from)->request->followers;
	while (*link != r)
		link = &(*link)->next_follower;
	*link = r->next_follower;
	tw_node from = 0;
	while ((from = next_node(rt, r->data, VALID_ON, from)) >= 0 && !has_route(rt, from, r->to))
		from++;
	r->from = (int16_t)from;
	tw__request_enqueue(rt, r);
}

/* Makes the request wait for a first hop to a main memory. The request's own room is already taken. So the pinned copy
 * in main memory stays only as long as a transfer takes, and such copies cannot fill a bounded main memory. */
void tw__request_wait_for_hop(struct tw__rt *rt, struct request *r)
{
	/* The hop is always a demand. As a prefetch it could wait for room in main memory, while the request keeps its
	 * own room. */
	struct request *hop = tw__request(rt, r->data, r->from, TW_R, CLASS_DEMAND, r->cause, r->priority);
	if (!hop)
		return;
	/* The copy that `hop` waited for is gone. Now the only ones are near its own memory. */
	if (rt->n_mains > 1 && waits_for(rt, hop, r))
		go_on_directly(rt, hop);
	r->state = REQUEST_AFTER_HOP;
	r->next_follower = hop->followers;
	hop->followers = r;
}

void tw__request_leave_transit(struct tw__rt *rt, struct request *r)
{
	if (r->in_transit)
		tw__memory_unpin(rt, r->data, r->from, PIN_USED);
	r->in_transit = false;
}

/* --- requesting a copy, and ending a request ---------------------------------------------------------------------- */

struct request *tw__request(struct tw__rt *rt, tw_data d, tw_node to, unsigned mode, enum request_class class,
                            enum tw__cause cause, int32_t priority)
{
	struct replicate *copy = replicate_of(rt, d, to);
	if (copy->request) {
		copy->request->mode |= (uint8_t)mode;
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
	tw__memory_expect(rt, r);
	if (fetches)
		tw__request_send(rt, r);
	else
		tw__request_enqueue(rt, r); /* the request only needs room */
	return r;
}

void tw__request_promote(struct tw__rt *rt, struct request *r, enum request_class class, int32_t priority)
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
		tw__request_enqueue(rt, r);
	else if (r->state == REQUEST_AFTER_HOP && replicate_of(rt, r->data, r->from)->request)
		tw__request_promote(rt, replicate_of(rt, r->data, r->from)->request, class, priority);
}

void tw__request_wait(struct tw__rt *rt, struct request *r, struct hold *hold)
{
	struct waiter *w = rt->unused_waiters;
	if (w)
		rt->unused_waiters = w->next;
	else
		w = tw__arena_alloc(rt->transfers_memory, 1, sizeof *w);
	w->hold = hold;
	w->next = r->waiters;
	r->waiters = w;
	hold->missing++;
}

/* Ends a request that is served or dropped: tasks and requests that wait for it go on. */
void tw__request_complete(struct tw__rt *rt, struct request *r)
{
	tw__request_dequeue(rt, r);
	tw__memory_release(rt, r);
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
		tw__request_enqueue(rt, f);
	}
	tw__request_free(rt, r);
}

void tw__request_forget(struct tw__rt *rt, tw_data d)
{
	/* A hop's followers are queued once it is dropped: so the search begins anew. */
	for (tw_node n = 0; (n = next_node(rt, d, REQUESTED_ON, n)) >= 0; n++) {
		struct request *r = replicate_of(rt, d, n)->request;
		if (r->state == REQUEST_QUEUED && !r->waiters) {
			tw__request_complete(rt, r);
			n = -1;
		}
	}
}

void tw__prefetch(struct tw__rt *rt, tw_data d, tw_node n, unsigned mode, int32_t priority, enum request_class class)
{
	if (rt->data[d].n_writers || is_dead(rt, d))
		return;
	if (is_valid(rt, d, n)) {
		tw__touch(rt, d, n);
		if ((mode & TW_W) && rt->data[d].n_requests == 0)
			tw__memory_own(rt, d, n, true);
		return;
	}
	tw__request(rt, d, n, mode, class, class == CLASS_IDLE ? TW__IDLE : TW__PREFETCH, priority);
}

static struct request *write_home(struct tw__rt *rt, tw_data d, tw_node from, bool idle)
{
	tw_node backing = rt->platform->nodes[from].backing;
	if (!idle)
		return tw__request(rt, d, backing, TW_R, CLASS_DEMAND, TW__EVICTION, 0);
	tw__prefetch(rt, d, backing, TW_R, 0, CLASS_IDLE);
	return NULL;
}

/* --- the start and the end of a run ------------------------------------------------------------------------------- */

void tw__transfers_open(struct tw__rt *rt)
{
	const struct tw_graph *g = rt->graph;
	size_t n = (size_t)rt->n_nodes, tasks = (size_t)tw__graph_max_tasks(g);
	rt->write_home = write_home;
	rt->transfers_memory = tw_alloc(1, sizeof *rt->transfers_memory);
	rt->channels = tw_alloc(n * n, sizeof *rt->channels);
	rt->issued = tw_alloc(n, sizeof *rt->issued);
	rt->prefetched = tw_alloc(tasks, sizeof *rt->prefetched);
	tw__queues_open(rt);
	if (rt->params->prefetch_apart) {
		/* one for each access of a task, two for each task that a reduction may append */
		size_t appended = tasks - (size_t)rt->n_own_tasks;
		size_t accesses = g->access_start[g->n_tasks] + 2 * appended;
		rt->awaits_turn = tw_alloc(accesses / 64 + 1, sizeof *rt->awaits_turn);
	}
}

void tw__transfers_close(struct tw__rt *rt)
{
	for (struct channel *c = rt->used_channels; c; c = c->next_used)
		for (int class = 0; class < N_CLASSES; class ++)
			tw__heap_finish(&c->queue[class]);
	if (rt->transfers_memory)
		tw__arena_finish(rt->transfers_memory);
	free(rt->transfers_memory);
	free(rt->channels);
	free(rt->youngest);
	free(rt->issued);
	free(rt->prefetched);
	free(rt->awaits_turn);
}
