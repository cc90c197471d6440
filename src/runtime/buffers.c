/* Pinned buffers of received handles (receive_chunk_cost). As in StarPU, each handle that a node receives gets a buffer
 * when its first receive is ready. Every worker looks for such receives in its turns, and takes the most urgent one. If
 * the last chunk has no room left, the worker pins another one, and does nothing else meanwhile. One worker pins at a
 * time, so others wait for it. */
#include "runtime/parcels.h"
#include "runtime/state/domain.h"
#include "runtime/state/wakeups.h"

static bool pinned_before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	const struct tw__parcel *a = TW__CONTAINER(x, const struct tw__parcel, unpinned);
	const struct tw__parcel *b = TW__CONTAINER(y, const struct tw__parcel, unpinned);
	const struct tw__rt *rt = a->hold.driver->rt;
	const int32_t first = tw__domain_priority(rt, a->hold.task), second = tw__domain_priority(rt, b->hold.task);
	return first != second ? first > second : a->hold.task < b->hold.task;
}

bool tw__buffer_lacks(const struct tw__rt *rt, const struct tw__parcel *p)
{
	return rt->cost.receive_chunk && p->access & TW_W && p->hold.driver == rt->messages->driver &&
	       !tw__bit(rt->messages->has_buffer, tw__access_data(p->access));
}

void tw__buffer_want(struct tw__rt *rt, struct tw__parcel *p)
{
	tw__bit_put(rt->messages->has_buffer, tw__access_data(p->access), true);
	tw__heap_push(&rt->messages->unpinned, &p->unpinned, pinned_before);
	rt->n_unpinned++;
	/* while any waits, no worker sleeps */
	for (tw_worker w = 0; w < rt->platform->n_workers && rt->n_unpinned == 1; w++)
		tw__rt_signal(&rt->drivers[w]);
}

/* Returns when the buffer of the receive is there. */
static tw__ns pin(struct tw__rt *rt, const struct tw__parcel *p)
{
	struct messages *m = rt->messages;
	const uint64_t bytes = rt->graph->data_bytes[tw__access_data(p->access)];
	const uint64_t chunk = rt->params->receive_chunk_bytes;
	m->pins_until = tw__latest(rt->now, m->pins_until);
	if (bytes <= m->chunk_left) {
		m->chunk_left -= bytes;
	} else {
		m->chunk_left = chunk > bytes ? chunk - bytes : 0;
		m->pins_until = tw__later(m->pins_until, rt->cost.receive_chunk);
	}
	return m->pins_until;
}

static void post(struct tw__rt *rt, struct tw__parcel *p)
{
	parcel_move(p, &rt->messages->posted);
	tw__rt_signal(rt->messages->driver);
}

tw__ns tw__pin(struct driver *d)
{
	struct tw__rt *rt = d->rt;
	struct messages *m = rt->messages;
	d->step = STEP_ISSUE;
	if (d->pinning) {
		post(rt, d->pinning);
		d->pinning = NULL;
		return 0;
	}
	while (m->unpinned.n) {
		struct tw__parcel *p = TW__CONTAINER(tw__heap_top(&m->unpinned), struct tw__parcel, unpinned);
		tw__heap_remove(&m->unpinned, &p->unpinned, pinned_before);
		rt->n_unpinned--;
		d->progress = true;
		const tw__ns until = pin(rt, p);
		if (until > rt->now) {
			d->pinning = p;
			d->step = STEP_PIN;
			return until - rt->now;
		}
		post(rt, p);
	}
	return 0;
}
