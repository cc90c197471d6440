/* Admission: which assigned tasks may request their data.
 *
 * Lack of room cannot deadlock a run. A task reserves room for all its handles before it requests any of them. The
 * handles of all admitted tasks are sure to fit together. All other copies are unpinned, or part of a transfer that
 * will end. So each admitted task gets its room sooner or later. This proof needs handles of one size. With several
 * sizes, free room may be in pieces that are too small; then transfers/unjam.c lets the memory drain for one task. Once
 * it is empty, all handles of that task get places, the largest first. */
#include <stdlib.h>

#include "runtime/memory/memory_state.h"
#include "runtime/state/wakeups.h"

static uint64_t set_bytes(const struct tw__rt *rt, const struct hold *hold)
{
	tw_node n = hold->driver->node;
	uint64_t sum = 0;
	for (int i = 0; i < hold->n_accesses; i++)
		sum += tw__room_rounded(&rt->memory[n].room, room_bytes(rt, tw__access_data(hold->access[i]), n));
	return sum;
}

/* --- draining ----------------------------------------------------------------------------------------------------- */

void tw__memory_drain(struct tw__rt *rt, tw_node n, struct hold *hold)
{
	rt->memory[n].emptying = false;
	rt->pressure[n].drained_for = hold;
	rt->n_draining += hold ? 1 : -1;
	if (hold)
		tw__rt_signal(hold->driver);
	else
		tw__memory_changed(rt, n);
}

/* Whether a copy is invalid and only has room for a queued prefetch. The room may be freed: the prefetch can take room
 * again. */
static bool is_only_kept(const struct tw__rt *rt, tw_data d, tw_node n)
{
	const struct replicate *copy = replicate_of(rt, d, n);
	return is_allocated(rt, d, n) && !is_valid(rt, d, n) && !copy->pins && copy->request &&
	       copy->request->state == REQUEST_QUEUED && !copy->request->has_room;
}

/* Evicts all copies that can leave. Returns whether the memory is empty. */
static bool empty(struct tw__rt *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	for (tw_data d = 0; d < rt->graph->n_data && m->n_data; d++) {
		if (is_of(m, d, 1u << CLEAN | 1u << CLEAN_QUEUED) || is_only_kept(rt, d, n))
			tw__copy_leave(rt, d, n, TW__EVICTION, true);
		else if (is_of(m, d, 1u << LAST | 1u << LAST_QUEUED))
			rt->write_home(rt, d, n, false);
	}
	return !m->n_data;
}

struct sized {
	uint64_t bytes;
	int index;
};

static int greatest_first(const void *a, const void *b)
{
	const struct sized *i = a, *j = b;
	return i->bytes != j->bytes ? (i->bytes < j->bytes) - (i->bytes > j->bytes) : i->index - j->index;
}

void tw__memory_place_all(struct tw__rt *rt, const tw__access *access, int n_accesses, tw_node n, bool at_start)
{
	struct sized *sizes = tw_resize(NULL, (size_t)n_accesses, sizeof *sizes);
	for (int a = 0; a < n_accesses; a++)
		sizes[a] = (struct sized){room_bytes(rt, tw__access_data(access[a]), n), a};
	qsort(sizes, (size_t)n_accesses, sizeof *sizes, greatest_first);
	tw__room_drop_empty_chunks(&rt->memory[n].room); /* begins without chunks, as room/fit.c has assumed */
	for (int i = 0; i < n_accesses; i++)
		tw__memory_place(rt, tw__access_data(access[sizes[i].index]), n, at_start);
	free(sizes);
}

/* --- reservation -------------------------------------------------------------------------------------------------- */

bool tw__memory_admit(struct tw__rt *rt, struct hold *hold)
{
	tw_node n = hold->driver->node;
	struct memory *m = &rt->memory[n];
	if (hold->admitted || !is_bounded(rt, n))
		return true;
	const struct hold *drained = drained_for(rt, n);
	if (drained && (drained != hold || !empty(rt, n)))
		return false;
	uint64_t bytes = set_bytes(rt, hold);
	if (m->n_admitted > 0 && m->reserved + bytes > m->admissible)
		return false;
	m->reserved += bytes;
	m->n_admitted++;
	hold->admitted = true;
	if (drained)
		tw__memory_place_all(rt, hold->access, hold->n_accesses, n, false);
	return true;
}

void tw__memory_leave(struct tw__rt *rt, struct hold *hold)
{
	struct memory *m = &rt->memory[hold->driver->node];
	if (!hold->admitted)
		return;
	hold->admitted = false;
	m->reserved -= set_bytes(rt, hold);
	m->n_admitted--;
	const struct node_threads *at = &rt->at_node[hold->driver->node];
	for (int i = 0; i < at->n; i++) /* waiting tasks ask again to be admitted */
		if (at->threads[i]->fetching)
			tw__rt_signal(at->threads[i]);
}
