/* Requests take room and give it back. If room is short, victims are evicted; dirty victims are written back first. */
#include "runtime/memory/memory_state.h"
#include "runtime/state/domain.h"
#include "runtime/state/wakeups.h"

/* --- victims ------------------------------------------------------------------------------------------------------ */

/* Begins the write-back of a victim. Returns false if no request was made, or if the request already writes back
 * another memory's victim. */
static bool write_back(struct tw__rt *rt, tw_data d, tw_node n)
{
	struct request *r = rt->write_home(rt, d, n, false);
	if (!r || r->reclaims != TW_NONE)
		return false;
	r->reclaims = (int16_t)n;
	rt->pressure[n].victim = d;
	return true;
}

bool tw__memory_is_writing_back(const struct tw__rt *rt, tw_node n)
{
	tw_data victim = rt->pressure[n].victim;
	tw_node backing = rt->platform->nodes[n].backing;
	if (!beneficiary_of(rt, n))
		return false;
	if (backing == TW_NONE || !is_bounded(rt, backing))
		return true; /* the backing memory always has room for the write-back */
	const struct request *r = victim == TW_NONE ? NULL : replicate_of(rt, victim, backing)->request;
	return r && (r->state == REQUEST_ISSUED || r->state == REQUEST_LANDED);
}

/* The result of one step towards room. */
enum step_to_room {
	ROOM_FOUND,  /* the request has its place */
	ROOM_MORE,   /* a copy has left: the request may look for a place again */
	ROOM_LATER,  /* the memory has to change first */
	ROOM_NOWHERE /* no copy can be evicted for this request */
};

/* Evicts one copy, or begins its write-back. If the victim is clean and has the size of the requested copy, the request
 * gets its place: *offset. */
static enum step_to_room evict_one(struct tw__rt *rt, struct request *r, uint64_t *offset)
{
	struct memory *m = &rt->memory[r->to];
	struct pressure *p = &rt->pressure[r->to];
	bool protect = r->class == CLASS_PREFETCH;
	tw_data d = tw__victim(rt, r->to, tw__victim_kinds(true, protect), true);
	if (d == TW_NONE)
		d = tw__victim(rt, r->to, tw__victim_kinds(false, protect), false);
	if (d == TW_NONE)
		return ROOM_NOWHERE;
	if (is_of(m, d, tw__victim_kinds(true, protect))) {
		bool fits = !m->emptying && room_bytes(rt, d, r->to) == room_bytes(rt, r->data, r->to);
		*offset = replicate_of(rt, d, r->to)->offset;
		tw__copy_leave(rt, d, r->to, TW__EVICTION, !fits);
		return fits ? ROOM_FOUND : ROOM_MORE;
	}
	if (!write_back(rt, d, r->to))
		return ROOM_NOWHERE;
	rt->n_making_room += !p->beneficiary;
	p->beneficiary = r;
	m->n_more_victims = (int)rt->params->reclaim_copies - 1;
	return ROOM_LATER;
}

/* Notes that a victim was written back. If its room is still needed, the victim leaves, and the next write-back may
 * begin. If all copies leave anyway, the next victim is not chosen here. */
static void written_back(struct tw__rt *rt, tw_node n)
{
	struct memory *m = &rt->memory[n];
	struct pressure *p = &rt->pressure[n];
	tw_data d = p->victim;
	bool protect = p->beneficiary && p->beneficiary->class == CLASS_PREFETCH;
	bool more = p->beneficiary && !m->emptying && !p->drained_for;
	const unsigned clean = tw__victim_kinds(true, protect), all = tw__victim_kinds(false, protect);
	p->victim = TW_NONE;
	if (p->beneficiary && is_of(m, d, clean))
		tw__copy_leave(rt, d, n, TW__EVICTION, true);
	while (more && m->n_more_victims-- > 0 && (d = tw__victim(rt, n, all, false)) != TW_NONE) {
		if (is_of(m, d, clean))
			tw__copy_leave(rt, d, n, TW__EVICTION, true);
		else if (write_back(rt, d, n))
			return;
	}
	tw__memory_changed(rt, n);
}

/* Stops making room for the request. */
static void stop_making_room(struct tw__rt *rt, struct request *r)
{
	if (beneficiary_of(rt, r->to) != r)
		return;
	rt->pressure[r->to].beneficiary = NULL;
	rt->n_making_room--;
	tw__memory_changed(rt, r->to); /* other requests for room may retry */
	/* wakes the memory's thread, which reclaim_blocks may have blocked until now */
	if (rt->at_node[r->to].mover)
		tw__rt_signal(rt->at_node[r->to].mover);
}

/* --- waiting for a kernel before an eviction (eviction_waits) ----------------------------------------------------- */

/* Returns the task whose kernel runs on an accelerator of the memory; NULL: no kernel runs. */
static const struct hold *running(const struct tw__rt *rt, tw_node n)
{
	for (int i = 0; i < rt->at_node[n].n; i++) {
		struct driver *d = rt->at_node[n].threads[i];
		for (int h = 0; h < d->n_held && d->accelerator; h++) {
			const struct hold *hold = held(d, h);
			/* the first launched kernel that has not ended; later kernels wait for it */
			if (hold->state == HOLD_LAUNCHED)
				return hold;
		}
	}
	return NULL;
}

/* Whether the request waits for the running kernel: a demand does so once, before its first eviction. A demand for a
 * handle in a shared chunk does not wait, because freeing such a handle does not call the card's driver. */
static bool waits_for_kernel(const struct tw__rt *rt, struct request *r)
{
	uint64_t bytes = room_bytes(rt, r->data, r->to);
	if (!rt->params->eviction_waits || r->class != CLASS_DEMAND ||
	    tw__room_in_chunks(&rt->memory[r->to].room, bytes))
		return false;
	const struct hold *hold = running(rt, r->to);
	int32_t now = hold ? hold->task + 1 : 0;
	if (!r->awaited)
		r->awaited = hold ? now : -1;
	return hold && r->awaited == now;
}

void tw__memory_kernel_over(struct tw__rt *rt, tw_node n)
{
	if (rt->params->eviction_waits)
		tw__memory_changed(rt, n);
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* Notes that the handle has room on the node, at this offset. */
static void note_room(struct tw__rt *rt, tw_data d, tw_node n, uint64_t offset)
{
	uint64_t bytes = room_bytes(rt, d, n);
	tw__copy_of(rt, d, n)->offset = offset;
	tw__copy_settle(rt, d, n, true);
	rt->pressure[n].used += bytes;
	tw__rt_record(rt, (struct tw__event){
				  .kind = TW__ALLOC, .data = d, .node = (int16_t)n, .bytes = bytes, .offset = offset});
}

/* Notes that the handle has got room on the node, at this offset, and tells the engine and the eviction policy. */
static void settle(struct tw__rt *rt, tw_data d, tw_node n, uint64_t offset)
{
	struct memory *m = &rt->memory[n];
	note_room(rt, d, n, offset);
	if (rt->ops->place)
		rt->ops->place(rt->engine, n, d, offset, room_bytes(rt, d, n));
	rt->in->eviction->loaded(rt->root, rt->eviction_state, d, n);
	if (m->progress != rt->n_done) {
		m->progress = rt->n_done;
		m->loads_since_progress = 0;
	}
	if (++m->loads_since_progress > rt->params->reload_limit)
		tw__rt_fail(rt, TW_FAILED,
		            "memory '%s' has taken in %lld data, data %d the last, without any task ending: "
		            "the tasks that hold it keep evicting each other's data",
		            rt->platform->nodes[n].name, (long long)m->loads_since_progress, (int)d);
}

/* Whether the memory has taken in more copies since the last end of a task than a tenth of reload_limit. */
static bool thrashes(const struct tw__rt *rt, const struct memory *m)
{
	return m->progress == rt->n_done && m->loads_since_progress > rt->params->reload_limit / 10;
}

void tw__memory_place(struct tw__rt *rt, tw_data d, tw_node n, bool at_start)
{
	uint64_t offset;
	int allocations;
	tw__room_look_again(&rt->memory[n].room);
	int status = tw__room_take(&rt->memory[n].room, room_bytes(rt, d, n), &offset, &allocations);
	if (status != TW_OK) {
		tw__rt_fail(rt, status, "data %d finds no place in the empty memory '%s'", (int)d,
		            rt->platform->nodes[n].name);
		return;
	}
	if (at_start)
		note_room(rt, d, n, offset);
	else
		settle(rt, d, n, offset);
}

static bool may_evict(const struct tw__rt *rt, const struct request *r)
{
	return r->class == CLASS_DEMAND || (r->class == CLASS_PREFETCH && rt->params->prefetch_evicts);
}

/* Finds a place for the request's copy: *offset. Looks for a free one, then evicts copies one by one, or all at once
 * before it looks (TW_EVICTS_ALL). At last, a demand makes one search of all chunks. */
static enum step_to_room find(struct tw__rt *rt, struct request *r, uint64_t *offset, int *allocations)
{
	struct memory *m = &rt->memory[r->to];
	bool evicts = may_evict(rt, r), evicts_all = evicts && (rt->in->eviction->flags & TW_EVICTS_ALL);
	bool has_looked_again = r->class != CLASS_DEMAND;
	for (;;) {
		bool empties = evicts_all && m->emptying;
		if (!empties && tw__room_take(&m->room, room_bytes(rt, r->data, r->to), offset, allocations) == TW_OK)
			return ROOM_FOUND;
		if (waits_for_kernel(rt, r))
			return ROOM_LATER;
		m->emptying = evicts_all && !drained_for(rt, r->to);
		enum step_to_room step = evicts && rt->status == TW_OK ? evict_one(rt, r, offset) : ROOM_NOWHERE;
		if (step == ROOM_MORE)
			continue;
		if (step != ROOM_NOWHERE)
			return step;
		m->emptying = false;
		if (empties)
			continue;
		if (has_looked_again)
			return ROOM_NOWHERE;
		tw__room_look_again(&m->room);
		has_looked_again = true;
	}
}

/* Returns the ns until the allocations have ended. All cards share one lock. */
static tw__ns pay(struct tw__rt *rt, int allocations)
{
	tw__ns start = tw__latest(rt->now, rt->allocation_free_at);
	rt->allocation_free_at = tw__later(start, tw__times_ns(rt->cost.alloc, allocations));
	return rt->allocation_free_at - rt->now;
}

/* Takes room for the request's copy, which has none. */
static enum step_to_room take(struct tw__rt *rt, struct request *r, tw__ns *cost)
{
	struct memory *m = &rt->memory[r->to];
	uint64_t offset;
	int allocations;
	m->starved = true; /* stays true unless the request gets its room below */
	if (rt->pressure[r->to].victim != TW_NONE || (drained_for(rt, r->to) && r->cause != TW__EVICTION))
		return ROOM_LATER;
	if (r->refused_at == m->changes && r->refused_as == r->class)
		return ROOM_NOWHERE;
	enum step_to_room step = find(rt, r, &offset, &allocations);
	if (step == ROOM_NOWHERE) {
		r->refused_at = m->changes;
		r->refused_as = r->class;
		stop_making_room(rt, r);
	}
	if (step != ROOM_FOUND)
		return step;
	m->starved = r->to < rt->n_mains; /* stays true for a main memory, where several threads may wait for room */
	settle(rt, r->data, r->to, offset);
	stop_making_room(rt, r);
	if (allocations && rt->cost.alloc)
		*cost = pay(rt, allocations);
	return ROOM_FOUND;
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

void tw__memory_expect(struct tw__rt *rt, struct request *r)
{
	if (r->state == REQUEST_APART)
		tw__copy_apart(rt, r->data, r->to, 1);
	else
		tw__copy_request(rt, r->data, r->to, r);
}

enum acquired tw__memory_acquire(struct tw__rt *rt, struct request *r, tw__ns *cost)
{
	bool has_room = is_allocated(rt, r->data, r->to);
	bool is_wanted = r->class == CLASS_DEMAND || r->waiters || r->followers;
	if (!has_room && !is_wanted && thrashes(rt, &rt->memory[r->to]))
		return ACQUIRE_NEVER; /* a demand may need the room that this prefetch would take */
	tw__copy_loading(rt, r->data, r->to);
	enum step_to_room step = has_room ? ROOM_FOUND : take(rt, r, cost);
	if (step == ROOM_NOWHERE)
		return is_wanted || r->class == CLASS_PREFETCH ? ACQUIRE_LATER : ACQUIRE_NEVER;
	if (step == ROOM_LATER)
		return tw__memory_needs_no_room(rt, r) ? ACQUIRE_NEVER : ACQUIRE_LATER;
	if (r->from == r->to || !is_valid(rt, r->data, r->from))
		return ACQUIRED_ROOM;
	tw__memory_pin(rt, r->data, r->from, PIN_USED);
	tw__memory_pin(rt, r->data, r->to, PIN_USED);
	return ACQUIRED;
}

/* Requests that have waited for this one, as their first hop, pin the copy until they have their own. */
static void pin_for_followers(struct tw__rt *rt, const struct request *r)
{
	for (struct request *f = r->followers; f; f = f->next_follower) {
		f->in_transit = is_valid(rt, f->data, f->from);
		if (f->in_transit)
			tw__memory_pin(rt, f->data, f->from, PIN_USED);
	}
}

/* Gives back the pins of a transfer that has landed. `owns`: its copy becomes the only valid one. */
static void unpin_transfer(struct tw__rt *rt, const struct request *r, bool owns)
{
	tw__memory_unpin(rt, r->data, r->to, PIN_USED);
	tw__memory_unpin(rt, r->data, r->from, PIN_USED);
	if (owns)
		tw__memory_own(rt, r->data, r->to, true);
}

void tw__memory_release(struct tw__rt *rt, struct request *r)
{
	const tw_data d = r->data;
	const bool landed = r->state == REQUEST_LANDED;
	bool owns = false;
	if (r->state == REQUEST_APART) {
		tw__copy_apart(rt, d, r->to, -1);
		return;
	}
	if (landed) {
		tw__copy_validate(rt, d, r->to);
		/* A prefetch for writing moves the ownership of the handle when it lands, unless other requests for the
		 * handle are pending. */
		owns = (r->mode & TW_W) && rt->data[d].n_requests == 1;
		tw__domains_loaded(rt, d, r->to);
	}
	pin_for_followers(rt, r);
	tw__copy_request(rt, d, r->to, NULL);
	if (r->task != TW_NONE && is_valid(rt, d, r->to) && task_is_queued(rt, r))
		tw__memory_pin(rt, d, r->to, PIN_QUEUED);
	stop_making_room(rt, r);
	if (r->in_transit)
		tw__memory_unpin(rt, d, r->from, PIN_USED);
	r->in_transit = false;
	if (!landed && is_dead(rt, d)) /* before the victim would be chosen again */
		tw__memory_own(rt, d, TW_NONE, false);
	if (landed)
		unpin_transfer(rt, r, owns);
	if (r->reclaims != TW_NONE) /* only now, because the victim's copy must be unpinned */
		written_back(rt, r->reclaims);
	/* leaves a draining memory at once, because the new copy may be the next victim in the backing memory */
	if (landed && drained_for(rt, r->from) && is_of(&rt->memory[r->from], d, 1u << CLEAN | 1u << CLEAN_QUEUED))
		tw__copy_leave(rt, d, r->from, TW__EVICTION, true);
	if (is_dead(rt, d)) /* its last task has ended meanwhile */
		tw__memory_own(rt, d, TW_NONE, false);
}
