/* Queues of requests, one per channel and class, ordered by priority and then age.
 *
 * A queue is a heap of runs. A run is a list of requests of one priority, by age, and its oldest request is in the
 * heap. Most requests are the youngest of their priority, so they join the end of a run. The heap then has about as
 * many items as there are priorities, however many requests wait. A request that finds no run starts one. */
#include <stdlib.h>

#include "graph/reduction.h"
#include "runtime/state/threads.h"
#include "runtime/state/wakeups.h"
#include "runtime/transfers/channel.h"
#include "runtime/transfers/transfers.h"

/* Requests that have room come first, so that they do not hold it in vain. Then priority, then age. */
static bool is_before(const struct request *a, const struct request *b)
{
	if (a->has_room != b->has_room)
		return a->has_room;
	return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
}

static bool run_before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	return is_before(TW__CONTAINER(x, const struct request, queued),
	                 TW__CONTAINER(y, const struct request, queued));
}

static struct tw__heap *queue_of(struct tw__rt *rt, const struct request *r)
{
	return &channel_of(rt, r->from, r->to)->queue[r->class];
}

void tw__update_moving(const struct driver *d)
{
	struct tw__rt *rt = d->rt;
	bool moving = d->landed;
	for (size_t i = 0; !moving && d->waiting && i < N_CLASSES * rt->lane_words; i++)
		moving = d->waiting[i];
	tw_id_set_put(&rt->moving, d->id, moving);
}

/* Updates the issuing thread's set of lanes with queued requests of that class. */
static void note_waiting(struct tw__rt *rt, const struct request *r, bool waiting)
{
	struct driver *d = issuer_of(rt, r->from, r->to);
	tw__bit_put(d->waiting + r->class * rt->lane_words, lane_of(rt, r->from, r->to), waiting);
	if (waiting)
		tw_id_set_put(&rt->moving, d->id, true);
	else
		tw__update_moving(d);
}

/* --- the youngest request of a run -------------------------------------------------------------------------------- */

void tw__queues_open(struct tw__rt *rt)
{
	enum { FEW = 64, MANY = 1 << 16 };
	size_t n = FEW;
	while (n < MANY && n < (size_t)tw__graph_max_tasks(rt->graph))
		n *= 2;
	rt->youngest = tw_alloc(n, sizeof *rt->youngest);
	rt->youngest_mask = n - 1;
}

/* Where the youngest request of a run like this request's is remembered. Runs may share a place: then the last one to
 * get a request has it, and a request of the other starts a new run. */
static struct request **youngest_of(struct tw__rt *rt, const struct request *r)
{
	uint64_t way = ((uint64_t)r->from * (uint64_t)rt->n_nodes + (uint64_t)r->to) * N_CLASSES + r->class;
	uint64_t key = way << 32 | (uint32_t)r->priority;
	return &rt->youngest[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & rt->youngest_mask];
}

/* Whether `r` may be queued at the end of the run whose youngest request is `last`. */
static bool continues(const struct request *r, const struct request *last)
{
	return last && tw__request_is_queued(last) && !last->behind && last->from == r->from && last->to == r->to &&
	       last->class == r->class && last->priority == r->priority && last->has_room == r->has_room &&
	       last->sequence < r->sequence;
}

/* --- adding and removing ------------------------------------------------------------------------------------------ */

void tw__request_enqueue(struct tw__rt *rt, struct request *r)
{
	struct channel *c = channel_of(rt, r->from, r->to);
	struct request **youngest = youngest_of(rt, r);
	if (r->state != REQUEST_APART)
		r->state = REQUEST_QUEUED;
	if (!c->used) {
		c->used = true;
		c->next_used = rt->used_channels;
		rt->used_channels = c;
	}
	if (continues(r, *youngest)) {
		r->before = *youngest;
		r->before->behind = r;
	} else {
		tw__heap_push(&c->queue[r->class], &r->queued, run_before);
	}
	*youngest = r;
	note_waiting(rt, r, true);
	tw__rt_signal(issuer_of(rt, r->from, r->to));
}

void tw__request_dequeue(struct tw__rt *rt, struct request *r)
{
	if (!tw__request_is_queued(r))
		return;
	struct tw__heap *queue = queue_of(rt, r);
	struct request *behind = r->behind;
	if (r->before) {
		r->before->behind = behind;
		struct request **youngest = youngest_of(rt, r);
		if (*youngest == r)
			*youngest = r->before;
	} else if (behind) {
		tw__heap_replace(queue, &r->queued, &behind->queued, run_before);
		__builtin_prefetch(behind->behind);
	} else {
		tw__heap_remove(queue, &r->queued, run_before);
	}
	if (behind)
		behind->before = r->before;
	r->before = r->behind = NULL;
	if (!queue->n)
		note_waiting(rt, r, false);
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

struct request *tw__queue_first(const struct tw__heap *queue)
{
	return TW__CONTAINER(tw__heap_top(queue), struct request, queued);
}

struct request *tw__queue_first_that(const struct tw__rt *rt, const struct tw__heap *queue,
                                     bool (*is_wanted)(const struct tw__rt *, const struct request *))
{
	struct request *first = NULL;
	for (int i = 0; i < queue->n; i++) {
		struct request *r = TW__CONTAINER(queue->items[i], struct request, queued);
		while (r && (!first || is_before(r, first)) && !is_wanted(rt, r))
			r = r->behind;
		if (r && (!first || is_before(r, first)))
			first = r;
	}
	return first;
}
