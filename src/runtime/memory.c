/* Bounded memories: taking room, choosing who leaves, reserving, giving back.
 *
 * Why memory pressure cannot deadlock: a task that a worker has taken reserves its whole set before it asks for any of
 * it (tw__memory_admit), and the sets admitted at one time sum up to no more than fits. What is in the memory beyond them
 * is unpinned, or on a transfer that will end, so each admitted task gets its room sooner or later. With data of one size
 * that is all there is to it; with data of several, free room may be in pieces too small: then unjam.c steps in. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

/* --- set-up ----------------------------------------------------------------------------------------------------- */

void tw__run_capacities(const struct tw_platform *p, const struct tw__runtime_params *params, uint64_t *capacity)
{
	for (int n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		if (node->limit_bytes)
			capacity[n] = node->limit_bytes;
		else if (node->memory_bytes)
			capacity[n] = (uint64_t)(params->memory_fraction * (double)node->memory_bytes);
		else
			capacity[n] = UINT64_MAX;
	}
}

/* Only the memories of accelerators are given out in chunks. */
uint64_t tw__memory_chunk_bytes(const struct tw_platform *p, const struct tw__runtime_params *params, tw_node n)
{
	return n != TW_RAM && p->nodes[n].backing == TW_RAM ? params->chunk_bytes : 0;
}

tw_node tw__run_home(const struct tw_platform *p, const uint64_t *capacity)
{
	tw_node home = TW_RAM;
	while (capacity[home] != UINT64_MAX && p->nodes[home].backing != TW_NONE)
		home = p->nodes[home].backing;
	return home;
}

/* What may be reserved by several tasks at a time: data of one size that sum up to it find places, however they lie. */
static uint64_t admissible(const struct tw_sched *rt, tw_node n)
{
	const struct tw__room *room = &rt->memory[n].room;
	uint64_t least = UINT64_MAX, greatest = 0;
	for (tw_data d = 0; d < rt->graph->n_data; d++) {
		uint64_t bytes = tw__room_rounded(room, room_bytes(rt, d, n));
		least = bytes < least ? bytes : least;
		greatest = bytes > greatest ? bytes : greatest;
	}
	bool chunks = room->chunk_bytes > 0 && greatest <= room->chunk_data_bytes && greatest <= room->chunk_bytes;
	uint64_t piece = chunks ? room->chunk_bytes : room->capacity, pieces = chunks ? room->capacity / piece : 1;
	if (least == greatest)
		return pieces * (piece / greatest * greatest);
	return piece > greatest ? pieces * (piece - greatest) : 0;
}

int tw__memory_init(struct tw_sched *rt, const uint64_t *capacity)
{
	for (tw_node n = 0; n < rt->n_nodes; n++) {
		struct memory *m = &rt->memory[n];
		m->capacity = capacity[n];
		m->reclaiming = TW_NONE;
		m->changes = 1;
		if (!is_bounded(rt, n))
			continue;
		uint64_t chunk = tw__memory_chunk_bytes(rt->platform, rt->params, n);
		if (tw__room_init(&m->room, m->capacity, chunk, rt->params->chunk_data_bytes))
			return TW_NOMEM;
		m->room.overlooks = rt->params->chunk_overlooks;
		m->admissible = admissible(rt, n);
		uint8_t *kinds = calloc((size_t)rt->graph->n_data + 1, sizeof *m->kind);
		if (!kinds)
			return TW_NOMEM;
		m->kind = kinds + 1; /* kind[TW_NONE] stays, too */
		uint8_t *dirty = calloc((size_t)rt->graph->n_data + 1, sizeof *m->dirty);
		if (!dirty)
			return TW_NOMEM;
		m->dirty = dirty + 1;
		m->place = malloc(((size_t)rt->graph->n_data + 1) * sizeof *m->place);
		if (!m->place)
			return TW_NOMEM;
	}
	return TW_OK;
}

void tw__memory_finish(struct tw_sched *rt)
{
	for (tw_node n = 0; n < rt->n_nodes; n++) {
		tw__room_finish(&rt->memory[n].room);
		if (rt->memory[n].kind)
			free(rt->memory[n].kind - 1);
		if (rt->memory[n].dirty)
			free(rt->memory[n].dirty - 1);
		free(rt->memory[n].place);
		for (int k = 0; k < N_KINDS; k++)
			free(rt->memory[n].of_kind[k].data);
	}
}

/* --- reservation ------------------------------------------------------------------------------------------------ */

static uint64_t set_bytes(const struct tw_sched *rt, const struct hold *hold)
{
	tw_node n = hold->driver->node;
	uint64_t sum = 0;
	for (int i = 0; i < hold->n_accesses; i++)
		sum += tw__room_rounded(&rt->memory[n].room, room_bytes(rt, tw__access_data(hold->access[i]), n));
	return sum;
}

bool tw__memory_admit(struct tw_sched *rt, struct hold *hold)
{
	struct memory *m = &rt->memory[hold->driver->node];
	if (hold->admitted || m->capacity == UINT64_MAX)
		return true;
	if (m->emptied_for && m->emptied_for != hold)
		return false;
	uint64_t bytes = set_bytes(rt, hold);
	if (m->n_admitted > 0 && m->reserved + bytes > m->admissible)
		return false;
	m->reserved += bytes;
	m->n_admitted++;
	hold->admitted = true;
	return true;
}

void tw__memory_leave(struct tw_sched *rt, struct hold *hold)
{
	struct memory *m = &rt->memory[hold->driver->node];
	if (!hold->admitted)
		return;
	hold->admitted = false;
	m->reserved -= set_bytes(rt, hold);
	m->n_admitted--;
	for (int d = 0; d < m->n_drivers; d++) /* whoever waits to be admitted tries again */
		if (m->drivers[d]->fetching)
			tw__rt_signal(m->drivers[d]);
}

/* --- giving back ------------------------------------------------------------------------------------------------ */

/* Whoever issues what goes there, once for each memory at the other end: a thread that sleeps is woken by the first, and the next has it take
 * another turn. */
static void signal_issuers(struct tw_sched *rt, tw_node n)
{
	if (n != TW_RAM) {
		for (int i = 0; i < 2 && rt->memory[n].driver; i++)
			tw__rt_signal(rt->memory[n].driver);
		return;
	}
	for (tw_node from = 0; from < rt->n_nodes; from++)
		if (tw__issuer(rt, from, n))
			tw__rt_signal(tw__issuer(rt, from, n));
}

void tw__memory_changed(struct tw_sched *rt, tw_node n)
{
	struct memory *m = &rt->memory[n];
	m->changes++;
	if (m->starved) {
		m->starved = false;
		signal_issuers(rt, n);
	}
	if (m->emptied_for)
		tw__rt_signal(m->emptied_for->driver);
}

static void let_go(struct tw_sched *rt, tw_data d, tw_node n, enum tw__cause cause, bool gives_room)
{
	struct replicate *copy = replicate_of(rt, d, n);
	struct memory *m = &rt->memory[n];
	uint64_t bytes = room_bytes(rt, d, n);
	tw__copy_invalidate(rt, d, n);
	if (rt->in->record)
		tw__rt_record(rt, (struct tw__event){.kind = TW__FREE,
		                                     .data = d,
		                                     .node = (int16_t)n,
		                                     .bytes = bytes,
		                                     .offset = copy->offset,
		                                     .cause = (uint8_t)cause});
	if (gives_room && tw__room_give(&m->room, copy->offset, bytes))
		tw__rt_fail(rt, TW_NOMEM, "out of memory for the room of memory '%s'", rt->platform->nodes[n].name);
	tw__copy_settle(rt, d, n, false);
	m->used -= bytes;
	m->n_data--;
	if (rt->in->eviction->evicted)
		rt->in->eviction->evicted(rt, rt->eviction_state, d, n);
	if (rt->in->policy->data_evicted)
		rt->in->policy->data_evicted(rt, rt->policy_state, d, n);
	rt->counters->evictions += cause == TW__EVICTION;
	tw__memory_changed(rt, n);
}

void tw__memory_release(struct tw_sched *rt, tw_data d, tw_node n, enum tw__cause cause)
{
	let_go(rt, d, n, cause, true);
}

/* --- taking ----------------------------------------------------------------------------------------------------- */

/* The kinds of copies that may leave. */
static unsigned kinds(bool clean, bool protect)
{
	unsigned kinds = 1u << CLEAN | (clean ? 0 : 1u << LAST | 1u << LEAVING);
	return protect ? kinds : kinds | 1u << CLEAN_QUEUED | (clean ? 0 : 1u << LAST_QUEUED | 1u << LEAVING_QUEUED);
}

/* The eviction policy's choice among those that the query allows. */
static tw_data choose(struct tw_sched *rt, tw_node n, const struct tw_victim_query *query)
{
	tw_data d = rt->in->eviction->victim(rt, rt->eviction_state, n, query);
	if (d != TW_NONE && !tw_may_evict(query, d)) {
		tw__rt_fail(rt, TW_FAILED, "eviction policy '%s' named data %d on '%s', which must not leave",
		            rt->in->eviction->name, (int)d, rt->platform->nodes[n].name);
		return TW_NONE;
	}
	return d;
}

static int n_of(const struct memory *m, unsigned kinds)
{
	int n = 0;
	for (int k = 0; k < N_KINDS; k++)
		n += kinds >> k & 1 ? m->of_kind[k].n : 0;
	return n;
}

static tw_data victim(struct tw_sched *rt, tw_node n, unsigned kinds_wanted, bool more)
{
	struct memory *m = &rt->memory[n];
	struct tw_victim_query query = {m->kind, kinds_wanted, m->of_kind, n_of(m, kinds_wanted), more};
	return query.n ? choose(rt, n, &query) : TW_NONE;
}

/* Begins the write-back after which that copy may leave; false: one of another memory's victim is under way. */
static bool write_back(struct tw_sched *rt, tw_data d, tw_node n)
{
	struct request *r = tw__request(rt, d, rt->platform->nodes[n].backing, TW_R, CLASS_DEMAND, TW__EVICTION, 0);
	if (!r || r->reclaims != TW_NONE)
		return false;
	r->reclaims = n;
	rt->memory[n].reclaiming = d;
	return true;
}

bool tw__memory_is_writing_back(struct tw_sched *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	tw_node backing = rt->platform->nodes[n].backing;
	if (!m->beneficiary)
		return false;
	if (backing == TW_NONE || !is_bounded(rt, backing))
		return true; /* nothing can hold it up */
	const struct request *r = m->reclaiming == TW_NONE ? NULL : replicate_of(rt, m->reclaiming, backing)->request;
	return r && (r->state == REQUEST_ISSUED || r->state == REQUEST_LANDED);
}

enum reclaimed { RECLAIMED_NOTHING, RECLAIMED_ROOM, RECLAIMED_PLACE };

/* Makes one data leave, or begin to. A clean copy of the same size leaves its place to the request: *offset. */
static enum reclaimed reclaim(struct tw_sched *rt, struct request *r, uint64_t *offset)
{
	struct memory *m = &rt->memory[r->to];
	bool protect = r->class == CLASS_PREFETCH;
	tw_data d = victim(rt, r->to, kinds(true, protect), true);
	if (d == TW_NONE)
		d = victim(rt, r->to, kinds(false, protect), false);
	if (d == TW_NONE)
		return RECLAIMED_NOTHING;
	if (kinds(true, protect) >> m->kind[d] & 1) {
		bool fits = !m->emptying && room_bytes(rt, d, r->to) == room_bytes(rt, r->data, r->to);
		*offset = replicate_of(rt, d, r->to)->offset;
		let_go(rt, d, r->to, TW__EVICTION, !fits);
		return fits ? RECLAIMED_PLACE : RECLAIMED_ROOM;
	}
	if (write_back(rt, d, r->to)) {
		m->beneficiary = r;
		m->to_reclaim = (int)rt->params->reclaim_copies - 1;
	}
	return RECLAIMED_NOTHING;
}

void tw__memory_written_back(struct tw_sched *rt, tw_node n)
{
	struct memory *m = &rt->memory[n];
	tw_data d = m->reclaiming;
	m->reclaiming = TW_NONE;
	bool protect = m->beneficiary && m->beneficiary->class == CLASS_PREFETCH;
	/* A memory that empties lets go of all that it has anyway. */
	bool more = m->beneficiary && !m->emptying && !m->emptied_for;
	if (m->beneficiary && kinds(true, protect) >> m->kind[d] & 1)
		tw__memory_release(rt, d, n, TW__EVICTION);
	while (more && m->to_reclaim-- > 0 && (d = victim(rt, n, kinds(false, protect), false)) != TW_NONE) {
		if (kinds(true, protect) >> m->kind[d] & 1)
			tw__memory_release(rt, d, n, TW__EVICTION);
		else if (write_back(rt, d, n))
			return;
	}
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
	tw__memory_changed(rt, r->to); /* others may try again */
	if (m->driver)
		tw__rt_signal(m->driver); /* its thread may have waited for this */
}

/* The data has room on the node from now on. */
static void settle(struct tw_sched *rt, tw_data d, tw_node n, uint64_t offset)
{
	struct memory *m = &rt->memory[n];
	uint64_t bytes = room_bytes(rt, d, n);
	replicate_of(rt, d, n)->offset = offset;
	tw__copy_settle(rt, d, n, true);
	m->used += bytes;
	m->n_data++;
	if (rt->in->record)
		tw__rt_record(
			rt,
			(struct tw__event){
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

/* The accelerator's kernel of that memory which runs now; NULL: none does. */
static const struct hold *running(const struct tw_sched *rt, tw_node n)
{
	for (int i = 0; i < rt->memory[n].n_drivers; i++) {
		struct driver *d = rt->memory[n].drivers[i];
		for (int h = 0; h < d->n_held && d->accelerator; h++) {
			const struct hold *hold = held(d, h);
			if (hold->state == HOLD_LAUNCHED)
				return hold; /* the first that has not ended: those behind it wait for it */
		}
	}
	return NULL;
}

/* Whether a demand must wait before it may evict: once, for the kernel that runs when it first has to. What shares
 * chunks with other data is not given back to the card, and need not wait for it. */
static bool waits_for_kernel(struct tw_sched *rt, struct request *r)
{
	if (!rt->params->eviction_waits || r->class != CLASS_DEMAND ||
	    tw__room_in_chunks(&rt->memory[r->to].room, room_bytes(rt, r->data, r->to)))
		return false;
	const struct hold *hold = running(rt, r->to);
	if (!r->seen_full) {
		r->seen_full = true;
		r->evicts_after = hold ? hold->task : (tw_task)TW_NONE;
	}
	return hold && hold->task == r->evicts_after;
}

enum room tw__memory_take(struct tw_sched *rt, struct request *r, tw__ns *cost)
{
	struct memory *m = &rt->memory[r->to];
	if (is_allocated(rt, r->data, r->to))
		return ROOM_TAKEN;
	m->starved = true; /* until the room is taken */
	if (m->reclaiming != TW_NONE || (m->emptied_for && r->cause != TW__EVICTION))
		return ROOM_WAIT;
	if (r->refused_at == m->changes && r->refused_as == r->class)
		return ROOM_NONE;
	bool may_evict = r->class == CLASS_DEMAND || (r->class == CLASS_PREFETCH && rt->params->prefetch_evicts);
	bool evicts_all = may_evict && (rt->in->eviction->flags & TW_EVICTS_ALL);
	bool has_looked_again = r->class != CLASS_DEMAND;
	uint64_t offset;
	int allocations;
	while ((evicts_all && m->emptying) ||
	       tw__room_take(&m->room, room_bytes(rt, r->data, r->to), &offset, &allocations)) {
		bool emptied = evicts_all && m->emptying;
		if (waits_for_kernel(rt, r))
			return ROOM_WAIT; /* until complete() says that memory has changed */
		m->emptying = evicts_all;
		enum reclaimed reclaimed =
			rt->status == TW_OK && may_evict ? reclaim(rt, r, &offset) : RECLAIMED_NOTHING;
		if (reclaimed == RECLAIMED_PLACE)
			break;
		if (reclaimed == RECLAIMED_ROOM)
			continue;
		if (m->reclaiming != TW_NONE)
			return ROOM_WAIT;
		m->emptying = false;
		if (emptied)
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
	m->starved = r->to == TW_RAM; /* where several threads may wait for room */
	settle(rt, r->data, r->to, offset);
	tw__memory_made_room(rt, r);
	pay(rt, allocations, cost);
	return ROOM_TAKEN;
}

/* --- tidying ---------------------------------------------------------------------------------------------------- */

bool tw__memory_is_untidy(const struct tw_sched *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	return is_bounded(rt, n) && rt->platform->nodes[n].backing != TW_NONE && m->n_dirty > 0 &&
	       m->n_clean < (int)(rt->params->clean_low * m->n_data);
}

void tw__memory_tidy(struct tw_sched *rt, tw_node n)
{
	struct memory *m = &rt->memory[n];
	tw_node backing = rt->platform->nodes[n].backing;
	if (!tw__memory_is_untidy(rt, n))
		return;
	struct tw_victim_query query = {m->dirty, 1u << 1, NULL, m->n_dirty, true};
	while (rt->status == TW_OK && m->n_clean < (int)(rt->params->clean_high * m->n_data) && m->n_dirty > 0) {
		tw_data d = choose(rt, n, &query);
		if (d == TW_NONE)
			return;
		tw__copy_clean(rt, d, n, true);
		if (!is_valid(rt, d, backing))
			tw__prefetch(rt, d, backing, TW_R, 0, CLASS_IDLE);
	}
}
