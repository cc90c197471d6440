/* The state of copies: valid, requested, clean or dirty. After each change, this file updates whether a copy may be
 * evicted, so each memory always knows its possible victims. */
#include <stdlib.h>

#include "graph/reduction.h"
#include "runtime/memory/memory_state.h"
#include "runtime/state/wakeups.h"

/* Signals the threads that issue transfers into the memory. The thread of a card is signalled twice: the first signal
 * wakes it, the second one makes it take another turn. For a main memory, each thread is signalled once. */
static void signal_issuers(struct tw__rt *rt, tw_node n)
{
	if (n >= rt->n_mains) {
		for (int i = 0; i < 2 && rt->at_node[n].mover; i++)
			tw__rt_signal(rt->at_node[n].mover);
		return;
	}
	for (tw_node from = 0; from < rt->n_nodes; from++)
		if (issuer_of(rt, from, n))
			tw__rt_signal(issuer_of(rt, from, n));
}

static __attribute__((noinline)) void signal_waiting(struct tw__rt *rt, tw_node n)
{
	if (rt->memory[n].starved) {
		rt->memory[n].starved = false;
		signal_issuers(rt, n);
	}
	if (drained_for(rt, n))
		tw__rt_signal(drained_for(rt, n)->driver);
}

void tw__memory_changed(struct tw__rt *rt, tw_node n)
{
	rt->memory[n].changes++;
	if (rt->memory[n].starved || drained_for(rt, n))
		signal_waiting(rt, n);
}

/* --- changing the state of a copy --------------------------------------------------------------------------------- */

/* Whether the copy can be dropped: it is invalid, or another valid copy exists. */
static bool is_worthless(const struct tw__rt *rt, tw_data d, tw_node n)
{
	return rt->data[d].n_valid != 1 || !is_valid(rt, d, n);
}

/* Whether the backing memory of node n has a valid copy of the handle, or a request for one. Also true if the node has
 * no backing memory. */
static bool goes_home(const struct tw__rt *rt, tw_data d, tw_node n)
{
	tw_node backing = rt->platform->nodes[n].backing;
	return backing == TW_NONE || is_valid(rt, d, backing) || replicate_of(rt, d, backing)->request;
}

/* Whether a copy of the handle is dirty if it does not count as clean. */
static bool makes_dirty(const struct tw__rt *rt, tw_data d) { return rt->data[d].n_valid && !rt->data[d].n_writers; }

/* Returns the kind of an allocated copy without pins and without a request. */
static uint8_t kind_of(struct tw__rt *rt, tw_data d, tw_node n, const struct replicate *copy)
{
	if (is_worthless(rt, d, n))
		return copy->queued_tasks ? CLEAN_QUEUED : CLEAN;
	/* The only valid copy needs a write-back first. It stays while an assigned task is about to write the
	 * handle. */
	if (rt->platform->nodes[n].backing == TW_NONE || rt->data[d].n_writers)
		return STAYS;
	if (goes_home(rt, d, n))
		return copy->queued_tasks ? LEAVING_QUEUED : LEAVING;
	return copy->queued_tasks ? LAST_QUEUED : LAST;
}

static void join_kind(struct memory *m, tw_data d, struct replicate *copy, uint8_t kind)
{
	struct tw_data_of_kind *list = &m->of_kind[kind];
	if (list->n == m->capacity_of_kind[kind]) {
		m->capacity_of_kind[kind] = list->n ? 2 * list->n : 64;
		list->data = tw_resize(list->data, (size_t)m->capacity_of_kind[kind], sizeof *list->data);
	}
	copy->place = list->n;
	list->data[list->n++] = d;
}

static bool is_clean(const struct tw__rt *rt, tw_data d, tw_node n) { return tw__bit(nodes_of(rt, d, CLEAN_ON), n); }

/* Updates whether the memory is untidy (state.h). Called when the memory's number of clean or dirty copies changes. */
static void update_untidy(struct tw__rt *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	bool untidy = m->n_dirty > 0 && rt->platform->nodes[n].backing != TW_NONE && is_bounded(rt, n) &&
	              m->n_clean < (int)(rt->params->clean_low * m->n_data);
	if (untidy == tw_id_set_has(&rt->untidy, n))
		return;
	rt->n_untidy += untidy ? 1 : -1;
	tw_id_set_put(&rt->untidy, n, untidy);
}

static void set_dirty(struct tw__rt *rt, tw_data d, tw_node n, bool dirty)
{
	struct memory *m = &rt->memory[n];
	if (m->dirty[d] == dirty)
		return;
	m->dirty[d] = dirty;
	m->n_dirty += dirty ? 1 : -1;
	if (dirty)
		m->dirtied.data[m->dirtied.n++ % TW_MOST_DIRTIED] = d;
	if (m->n_dirty == dirty) /* before or now, no copy is dirty */
		update_untidy(rt, n);
}

static __attribute__((noinline)) void update_kind(struct tw__rt *rt, tw_data d, tw_node n, struct replicate *copy)
{
	struct memory *m = &rt->memory[n];
	uint8_t now = kind_of(rt, d, n, copy), before = m->kind[d];
	if (before == now)
		return;
	if (before != STAYS)
		tw__copy_leave_kind(rt, n, copy, before);
	if (now != STAYS)
		join_kind(m, d, copy, now);
	m->kind[d] = now;
	if (now != STAYS)
		tw__memory_changed(rt, n);
}

void tw__copy_changed(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (!is_bounded(rt, n))
		return;
	struct replicate *copy = replicate_of(rt, d, n);
	if (!is_allocated(rt, d, n) || copy->pins || copy->request)
		tw__copy_keep(rt, d, n, copy);
	else
		update_kind(rt, d, n, copy);
}

static void set_flag(struct tw__rt *rt, tw_data d, tw_node n, uint8_t flag, bool on)
{
	uint8_t *flags = copy_flags(rt, d, n), before = *flags;
	struct flag_changes *changes = &rt->flag_changes[n];
	*flags = (uint8_t)(on ? before | flag : before & ~flag);
	if (*flags != before)
		changes->data[changes->n++ % TW_MOST_CHANGES] = d;
}

static void set_clean(struct tw__rt *rt, tw_data d, tw_node n, bool clean)
{
	rt->memory[n].n_clean += clean - is_clean(rt, d, n);
	tw__bit_put(nodes_of(rt, d, CLEAN_ON), n, clean);
	update_untidy(rt, n);
	if (is_bounded(rt, n))
		set_dirty(rt, d, n, is_allocated(rt, d, n) && !clean && makes_dirty(rt, d));
}

void tw__copy_clean(struct tw__rt *rt, tw_data d, tw_node n, bool clean)
{
	if (is_clean(rt, d, n) == clean)
		return;
	set_clean(rt, d, n, clean);
	tw__copy_changed(rt, d, n);
}

/* Notes that room for a copy was allocated or freed. As in StarPU, a new copy counts as clean until all data of a task
 * that writes the handle are there. The backing memory need not have a valid copy. */
void tw__copy_settle(struct tw__rt *rt, tw_data d, tw_node n, bool allocated)
{
	set_flag(rt, d, n, COPY_ALLOCATED, allocated);
	tw__bit_put(nodes_of(rt, d, HELD_ON), n, allocated);
	rt->memory[n].n_data += allocated ? 1 : -1;
	set_clean(rt, d, n, allocated);
	tw__copy_changed(rt, d, n);
}

static __attribute__((noinline)) void set_all_dirty(struct tw__rt *rt, tw_data d, tw_node first, uint64_t nodes)
{
	bool dirty = makes_dirty(rt, d);
	for (; nodes; nodes &= nodes - 1)
		set_dirty(rt, d, first + __builtin_ctzll(nodes), dirty);
}

/* Updates which copies of the handle are dirty, because makes_dirty() may have changed. The function spares the cost of
 * tw__copy_changed(): the handle may have many copies that do not count as clean, most of them invalid. */
static void update_dirty(struct tw__rt *rt, tw_data d)
{
	const uint64_t *held = nodes_of(rt, d, HELD_ON), *clean = nodes_of(rt, d, CLEAN_ON);
	for (size_t word = 0; word < rt->node_words; word++)
		if (held[word] & ~clean[word])
			set_all_dirty(rt, d, (tw_node)(64 * word), held[word] & ~clean[word]);
}

/* Updates the kinds of copies, because the copy on node n has become valid or invalid. `before`: number of valid copies
 * before. The kinds of the other valid copies depend on whether one copy is valid or several are. */
static void validity_changed(struct tw__rt *rt, tw_data d, tw_node n, int before)
{
	int now = rt->data[d].n_valid;
	if (!before || !now)
		update_dirty(rt, d);
	tw_node other = before + now == 3 ? next_node(rt, d, VALID_ON, 0) : (tw_node)TW_NONE;
	if (other == n)
		other = next_node(rt, d, VALID_ON, n + 1);
	if (other != TW_NONE && other < n)
		tw__copy_changed(rt, d, other);
	tw__copy_changed(rt, d, n);
	if (other > n)
		tw__copy_changed(rt, d, other);
}

void tw__copy_request(struct tw__rt *rt, tw_data d, tw_node n, struct request *r)
{
	struct replicate *copy = tw__copy_of(rt, d, n);
	rt->data[d].n_requests = (uint16_t)(rt->data[d].n_requests + (r ? 1 : -1));
	copy->request = r;
	tw__bit_put(nodes_of(rt, d, REQUESTED_ON), n, r);
	set_flag(rt, d, n, COPY_INCOMING, r || copy->n_apart);
	set_flag(rt, d, n, COPY_LOADING, false);
	if (r)
		tw__copy_keep(rt, d, n, copy);
	else
		tw__copy_changed(rt, d, n);
	if (!rt->memory[n].backs || rt->data[d].n_valid != 1)
		return; /* the kinds of other copies do not depend on goes_home() */
	tw_node last = next_node(rt, d, VALID_ON, 0);
	if (rt->platform->nodes[last].backing == n && is_allocated(rt, d, last))
		tw__copy_changed(rt, d, last);
}

void tw__copy_loading(struct tw__rt *rt, tw_data d, tw_node n) { set_flag(rt, d, n, COPY_LOADING, true); }

void tw__copy_apart(struct tw__rt *rt, tw_data d, tw_node n, int requests)
{
	struct replicate *copy = tw__copy_of(rt, d, n);
	assert(requests > 0 || copy->n_apart > 0);
	copy->n_apart += (uint32_t)requests;
	set_flag(rt, d, n, COPY_INCOMING, copy->request || copy->n_apart);
}

void tw__copy_written(struct tw__rt *rt, tw_data d)
{
	update_dirty(rt, d);
	if (rt->data[d].n_valid == 1)
		tw__copy_changed(rt, d, next_node(rt, d, VALID_ON, 0));
}

void tw__copy_validate(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (is_valid(rt, d, n))
		return;
	rt->data[d].n_valid++;
	tw__bit_put(nodes_of(rt, d, VALID_ON), n, true);
	set_flag(rt, d, n, COPY_VALID, true);
	tw__rt_record(rt, (struct tw__event){.kind = TW__VALID, .data = d, .node = (int16_t)n});
	validity_changed(rt, d, n, rt->data[d].n_valid - 1);
}

void tw__copy_invalidate(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (!is_valid(rt, d, n))
		return;
	rt->data[d].n_valid--;
	tw__bit_put(nodes_of(rt, d, VALID_ON), n, false);
	set_flag(rt, d, n, COPY_VALID, false);
	/* accumulators, dead handles and those that a message will write may be left without a valid copy */
	assert(rt->data[d].n_valid || d >= tw__graph_own_data(rt->graph) || is_dead(rt, d) ||
	       (rt->messages && rt->data[d].n_writers));
	tw__rt_record(rt, (struct tw__event){.kind = TW__INVALID, .data = d, .node = (int16_t)n});
	validity_changed(rt, d, n, rt->data[d].n_valid + 1);
}
