/* Reservation: which assigned tasks may request their data.
 *
 * Lack of room cannot deadlock a run. A task reserves room for all its handles before it requests any of them. The
 * handles of all admitted tasks are sure to fit together. All other copies are unpinned, or part of a transfer that
 * will end. So each admitted task gets its room sooner or later. This proof needs handles of one size. With several
 * sizes, free room may be in pieces that are too small; then transfers/unjam.c drains the memory. */
#include "runtime/memory/memory.h"
#include "runtime/memory/memory_state.h"
#include "runtime/state/threads.h"
#include "runtime/state/wakeups.h"

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
	if (m->mode == DRAINING && m->drained_for != hold)
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
	const struct node_threads *at = &rt->at_node[hold->driver->node];
	for (int i = 0; i < at->n; i++) /* waiting tasks ask again to be admitted */
		if (at->threads[i]->fetching)
			tw__rt_signal(at->threads[i]);
}
