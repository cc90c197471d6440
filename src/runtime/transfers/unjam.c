/* Stalls from fragmented room.
 *
 * Admitted tasks reserve bytes, not places. With handles of several sizes, pinned copies can lie so that no free part
 * takes the next handle, though the sum of free bytes suffices. If this stalls the run, the waiting tasks of one memory
 * give up their copies. The memory drains for one of these tasks; the only valid copies of handles are written back.
 * Then all handles of that task get places, the largest first, and the task fetches again. Every task fits into an
 * empty memory: memory/fit.c has checked that before the run. */
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/state/copies.h"
#include "runtime/state/threads.h"
#include "runtime/state/wakeups.h"
#include "runtime/transfers/transfers.h"

static void stop_waiting(struct tw_sched *rt, struct request *r, const struct hold *hold)
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
static void give_up(struct tw_sched *rt, struct hold *hold)
{
	struct driver *d = hold->driver;
	for (int i = 0; i < d->fetch_index; i++) {
		tw__access access = hold->access[i];
		tw_data data = tw__access_data(access);
		for (tw_node n = 0; n < rt->n_nodes; n++)
			if (replicate_of(rt, data, n)->request)
				stop_waiting(rt, replicate_of(rt, data, n)->request, hold);
		if (tw__access_mode(access) & TW_W)
			tw__copy_writers(rt, data, -1);
		tw__copy_unpin(rt, data, d->node);
	}
	hold->missing = 0;
	d->fetch_index = 0;
	tw__memory_leave(rt, hold);
}

bool tw__unjam(struct tw_sched *rt)
{
	for (int k = 0; k < rt->n_drivers; k++) {
		int i = rt->next_unjammed++ % rt->n_drivers; /* each call of tw__unjam begins at the next driver */
		struct hold *hold = rt->drivers[i].fetching;
		tw_node n = rt->drivers[i].node;
		if (!hold || !hold->admitted || tw__memory_drains_for(rt, n))
			continue;
		for (int j = 0; j < rt->n_drivers; j++)
			if (rt->drivers[j].node == n && rt->drivers[j].fetching && rt->drivers[j].fetching->admitted)
				give_up(rt, rt->drivers[j].fetching);
		tw__memory_drain(rt, n, hold);
		return true;
	}
	/* No waiting task has pinned copies. Tasks that write wait for requests into memories that are full of
	 * prefetched copies. */
	return tw__requests_drop(rt);
}

/* Whether a copy is invalid and only has room for a queued prefetch. The room may be freed: the prefetch can take room
 * again. */
static bool is_only_kept(const struct tw_sched *rt, tw_data d, tw_node n)
{
	const struct replicate *copy = replicate_of(rt, d, n);
	return is_allocated(rt, d, n) && !is_valid(rt, d, n) && !copy->pins && copy->request &&
	       copy->request->state == REQUEST_QUEUED && !copy->request->has_room;
}

/* Evicts all copies that can leave. Returns whether the memory is empty. */
static bool empty(struct tw_sched *rt, tw_node n)
{
	for (tw_data d = 0; d < rt->graph->n_data && !tw__memory_is_empty(rt, n); d++) {
		enum way_out way = tw__memory_way_out(rt, d, n);
		if (way == WAY_FREE || is_only_kept(rt, d, n))
			tw__memory_release(rt, d, n, TW__EVICTION);
		else if (way == WAY_HOME)
			tw__write_home(rt, d, n);
	}
	return tw__memory_is_empty(rt, n);
}

bool tw__unjam_ready(struct tw_sched *rt, struct hold *hold)
{
	tw_node n = hold->driver->node;
	if (!empty(rt, n))
		return false;
	bool admitted = tw__memory_admit(rt, hold);
	assert(admitted);
	(void)admitted;
	tw__memory_drop_chunks(rt, n); /* begins without chunks, as memory/fit.c has assumed */
	bool placed[TW_MAX_ACCESSES] = {false};
	for (int i = 0; i < hold->n_accesses; i++) { /* places the largest of the handles that are left */
		int greatest = -1;
		for (int a = 0; a < hold->n_accesses; a++)
			if (!placed[a] &&
			    (greatest < 0 || room_bytes(rt, tw__access_data(hold->access[a]), n) >
			                             room_bytes(rt, tw__access_data(hold->access[greatest]), n)))
				greatest = a;
		placed[greatest] = true;
		tw__memory_place(rt, tw__access_data(hold->access[greatest]), n);
	}
	return true;
}
