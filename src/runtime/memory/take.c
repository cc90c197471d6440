/* Takes room for requests. If room is short, victims are evicted; dirty victims are written back first. */
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/memory_state.h"
#include "runtime/memory/victim.h"
#include "runtime/state/wakeups.h"
#include "runtime/state/request.h"

/* Sets the mode of the memory, unless it is DRAINING. */
static void enter(struct memory *m, enum memory_mode mode)
{
	if (m->mode != DRAINING)
		m->mode = mode;
}

/* Ends the mode RECLAIMING when the memory has neither a beneficiary nor a victim. */
static void settle_mode(struct memory *m)
{
	if (m->mode == RECLAIMING && !m->beneficiary && m->victim == TW_NONE)
		m->mode = NORMAL;
}

/* Begins the write-back of a victim. Returns false if no request was made, or if the request already writes back
 * another memory's victim. */
static bool write_back(struct tw_sched *rt, tw_data d, tw_node n)
{
	struct request *r = rt->write_home(rt, d, n);
	if (!r || r->reclaims != TW_NONE)
		return false;
	r->reclaims = n;
	rt->memory[n].victim = d;
	return true;
}

struct request *tw__memory_beneficiary_of(const struct tw_sched *rt, tw_node n) { return rt->memory[n].beneficiary; }

bool tw__memory_has_victim(const struct tw_sched *rt, tw_node n) { return rt->memory[n].victim != TW_NONE; }

bool tw__memory_is_writing_back(struct tw_sched *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	tw_node backing = rt->platform->nodes[n].backing;
	if (!m->beneficiary)
		return false;
	if (backing == TW_NONE || !is_bounded(rt, backing))
		return true; /* the backing memory always has room for the write-back */
	const struct request *r = m->victim == TW_NONE ? NULL : replicate_of(rt, m->victim, backing)->request;
	return r && (r->state == REQUEST_ISSUED || r->state == REQUEST_LANDED);
}

enum reclaimed { RECLAIMED_NOTHING, RECLAIMED_ROOM, RECLAIMED_PLACE };

/* Evicts one copy, or begins its write-back. If the victim is clean and has the size of the requested copy, the request
 * gets its place: *offset. */
static enum reclaimed reclaim(struct tw_sched *rt, struct request *r, uint64_t *offset)
{
	struct memory *m = &rt->memory[r->to];
	bool protect = r->class == CLASS_PREFETCH;
	tw_data d = tw__victim(rt, r->to, tw__victim_kinds(true, protect), true);
	if (d == TW_NONE)
		d = tw__victim(rt, r->to, tw__victim_kinds(false, protect), false);
	if (d == TW_NONE)
		return RECLAIMED_NOTHING;
	if (tw__victim_kinds(true, protect) >> m->kind[d] & 1) {
		bool fits = m->mode != EMPTYING && room_bytes(rt, d, r->to) == room_bytes(rt, r->data, r->to);
		*offset = replicate_of(rt, d, r->to)->offset;
		tw__copy_leave(rt, d, r->to, TW__EVICTION, !fits);
		return fits ? RECLAIMED_PLACE : RECLAIMED_ROOM;
	}
	if (write_back(rt, d, r->to)) {
		rt->n_making_room += !m->beneficiary;
		m->beneficiary = r;
		enter(m, m->mode == EMPTYING ? EMPTYING : RECLAIMING);
		m->n_more_victims = (int)rt->params->reclaim_copies - 1;
	}
	return RECLAIMED_NOTHING;
}

void tw__memory_written_back(struct tw_sched *rt, tw_node n)
{
	struct memory *m = &rt->memory[n];
	tw_data d = m->victim;
	m->victim = TW_NONE;
	bool protect = m->beneficiary && m->beneficiary->class == CLASS_PREFETCH;
	/* In the modes EMPTYING and DRAINING all copies leave anyway. */
	bool more = m->beneficiary && m->mode != EMPTYING && m->mode != DRAINING;
	if (m->beneficiary && tw__victim_kinds(true, protect) >> m->kind[d] & 1)
		tw__memory_release(rt, d, n, TW__EVICTION);
	while (more && m->n_more_victims-- > 0 &&
	       (d = tw__victim(rt, n, tw__victim_kinds(false, protect), false)) != TW_NONE) {
		if (tw__victim_kinds(true, protect) >> m->kind[d] & 1)
			tw__memory_release(rt, d, n, TW__EVICTION);
		else if (write_back(rt, d, n))
			return;
	}
	settle_mode(m);
	tw__memory_changed(rt, n);
}

static void pay(struct tw_sched *rt, int allocations, tw__ns *cost)
{
	if (!allocations || rt->cost.alloc == 0)
		return;
	tw__ns start = tw__latest(rt->now, rt->allocation_free_at);
	rt->allocation_free_at = tw__later(start, tw__times_ns(rt->cost.alloc, allocations));
	*cost = rt->allocation_free_at - rt->now;
}

void tw__memory_made_room(struct tw_sched *rt, struct request *r)
{
	struct memory *m = &rt->memory[r->to];
	if (m->beneficiary != r)
		return;
	m->beneficiary = NULL;
	rt->n_making_room--;
	settle_mode(m);
	tw__memory_changed(rt, r->to); /* other requests for room may retry */
	/* wakes the memory's thread, which reclaim_blocks may have blocked until now */
	if (rt->at_node[r->to].mover)
		tw__rt_signal(rt->at_node[r->to].mover);
}

/* Notes that the handle has got room on the node, at this offset. */
static void settle(struct tw_sched *rt, tw_data d, tw_node n, uint64_t offset)
{
	struct memory *m = &rt->memory[n];
	uint64_t bytes = room_bytes(rt, d, n);
	replicate_of(rt, d, n)->offset = offset;
	tw__copy_settle(rt, d, n, true);
	m->used += bytes;
	tw__rt_record(rt, (struct tw__event){
				  .kind = TW__ALLOC, .data = d, .node = (int16_t)n, .bytes = bytes, .offset = offset});
	if (rt->ops->place && rt->ops->place(rt->engine, n, d, offset, bytes) != TW_OK)
		tw__rt_fail(rt, TW_FAILED, "engine '%s': data %d could not be placed", rt->ops->name, (int)d);
	rt->in->eviction->loaded(rt, rt->eviction_state, d, n);
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

bool tw__memory_thrashes(const struct tw_sched *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	return m->progress == rt->n_done && m->loads_since_progress > rt->params->reload_limit / 10;
}

void tw__memory_place(struct tw_sched *rt, tw_data d, tw_node n)
{
	uint64_t offset;
	int allocations;
	tw__room_look_again(&rt->memory[n].room);
	int status = tw__room_take(&rt->memory[n].room, room_bytes(rt, d, n), &offset, &allocations);
	if (status != TW_OK) {
		tw__rt_fail(rt, status, "data %d finds no place in the emptied memory '%s'", (int)d,
		            rt->platform->nodes[n].name);
		return;
	}
	settle(rt, d, n, offset);
}

enum room tw__memory_take(struct tw_sched *rt, struct request *r, tw__ns *cost)
{
	struct memory *m = &rt->memory[r->to];
	if (is_allocated(rt, r->data, r->to))
		return ROOM_TAKEN;
	m->starved = true; /* stays true unless the request gets its room below */
	if (m->victim != TW_NONE || (m->mode == DRAINING && r->cause != TW__EVICTION))
		return ROOM_WAIT;
	if (r->refused_at == m->changes && r->refused_as == r->class)
		return ROOM_NONE;
	bool may_evict = rt->hooks.may_evict ? rt->hooks.may_evict(r) : r->class == CLASS_DEMAND;
	bool evicts_all = may_evict && (rt->in->eviction->flags & TW_EVICTS_ALL);
	bool has_looked_again = r->class != CLASS_DEMAND;
	uint64_t offset;
	int allocations, status = TW_OK;
	while ((evicts_all && m->mode == EMPTYING) ||
	       (status = tw__room_take(&m->room, room_bytes(rt, r->data, r->to), &offset, &allocations)) != TW_OK) {
		if (status == TW_NOMEM) {
			tw__rt_fail(rt, TW_NOMEM, "out of memory for the room of memory '%s'",
			            rt->platform->nodes[r->to].name);
			return ROOM_WAIT;
		}
		bool was_emptying = evicts_all && m->mode == EMPTYING;
		if (rt->hooks.evicts_now && !rt->hooks.evicts_now(rt, r))
			return ROOM_WAIT; /* the request waits until the memory has changed */
		enter(m, evicts_all ? EMPTYING : RECLAIMING);
		enum reclaimed reclaimed =
			rt->status == TW_OK && may_evict ? reclaim(rt, r, &offset) : RECLAIMED_NOTHING;
		if (reclaimed == RECLAIMED_PLACE)
			break;
		if (reclaimed == RECLAIMED_ROOM)
			continue;
		if (m->victim != TW_NONE)
			return ROOM_WAIT;
		enter(m, RECLAIMING); /* ends EMPTYING: all copies that could leave have left */
		settle_mode(m);
		if (was_emptying)
			continue;
		if (!has_looked_again) {
			tw__room_look_again(&m->room);
			has_looked_again = true;
			continue;
		}
		r->refused_at = m->changes;
		r->refused_as = r->class;
		tw__memory_made_room(rt, r);
		return ROOM_NONE;
	}
	m->starved = r->to == TW_RAM; /* stays true for main memory, where several threads may wait for room */
	settle_mode(m);
	settle(rt, r->data, r->to, offset);
	tw__memory_made_room(rt, r);
	pay(rt, allocations, cost);
	return ROOM_TAKEN;
}
