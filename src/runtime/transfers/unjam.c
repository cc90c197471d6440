/* Stalls from fragmented room.
 *
 * Admitted tasks reserve bytes, not places. With handles of several sizes, pinned copies can lie so that no free part
 * takes the next handle, though the sum of free bytes suffices. If this stalls the run, the waiting tasks of one memory
 * give up their copies. The memory drains for one of these tasks (memory/admit.c); the only valid copies of handles are
 * written back. Then all handles of that task get places, and the task fetches again. Every task fits into an empty
 * memory: room/fit.c has checked that before the run. */
#include "runtime/memory/memory.h"
#include "runtime/transfers/transfers.h"

static void stop_waiting(struct tw__rt *rt, struct request *r, const struct hold *hold)
{
	for (struct waiter **w = &r->waiters; *w;) {
		struct waiter *gone = *w;
		if (gone->hold != hold) {
			w = &gone->next;
			continue;
		}
		*w = gone->next;
		gone->next = rt->unused_waiters;
		rt->unused_waiters = gone;
	}
	if (r->state == REQUEST_QUEUED && !r->waiters && !r->followers && r->reclaims == TW_NONE)
		tw__request_complete(rt, r);
}

/* Takes all pins and requests from the task, as if it had just been assigned. */
static void give_up(struct tw__rt *rt, struct hold *hold)
{
	struct driver *d = hold->driver;
	for (int i = 0; i < d->fetch_index; i++) {
		tw__access access = hold->access[i];
		tw_data data = tw__access_data(access);
		for (tw_node n = 0; n < rt->n_nodes; n++)
			if (replicate_of(rt, data, n)->request)
				stop_waiting(rt, replicate_of(rt, data, n)->request, hold);
		if (tw__access_mode(access) & TW_W)
			tw__memory_unpin(rt, data, d->node, PIN_WRITTEN);
		tw__memory_unpin(rt, data, d->node, PIN_USED);
	}
	hold->missing = 0;
	d->fetch_index = 0;
	tw__memory_leave(rt, hold);
}

/* Drops requests that wait for room and that no task needs. Returns whether there were any. */
static bool drop_all(struct tw__rt *rt)
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

bool tw__unjam(struct tw__rt *rt)
{
	for (int k = 0; k < rt->n_drivers; k++) {
		int i = rt->next_unjammed++ % rt->n_drivers; /* each call of tw__unjam begins at the next driver */
		struct hold *hold = rt->drivers[i].fetching;
		tw_node n = rt->drivers[i].node;
		if (!hold || !hold->admitted || drained_for(rt, n))
			continue;
		for (int j = 0; j < rt->n_drivers; j++)
			if (rt->drivers[j].node == n && rt->drivers[j].fetching && rt->drivers[j].fetching->admitted)
				give_up(rt, rt->drivers[j].fetching);
		tw__memory_drain(rt, n, hold);
		return true;
	}
	/* No waiting task has pinned copies. Tasks that write wait for requests into memories that are full of
	 * prefetched copies. */
	return drop_all(rt);
}
