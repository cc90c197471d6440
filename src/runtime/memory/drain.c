/* A memory drains, so that all copies leave, when the handles of a task have found no places (transfers/unjam.c). */
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/memory_state.h"
#include "runtime/state/wakeups.h"

void tw__memory_drain(struct tw_sched *rt, tw_node n, struct hold *hold)
{
	rt->memory[n].mode = DRAINING;
	rt->memory[n].drained_for = hold;
	rt->n_draining++;
	tw__rt_signal(hold->driver);
}

void tw__memory_drained(struct tw_sched *rt, tw_node n)
{
	struct memory *m = &rt->memory[n];
	m->mode = m->beneficiary || m->victim != TW_NONE ? RECLAIMING : NORMAL;
	m->drained_for = NULL;
	rt->n_draining--;
	tw__memory_changed(rt, n);
}

struct hold *tw__memory_drained_for(const struct tw_sched *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	return m->mode == DRAINING ? m->drained_for : NULL;
}

enum way_out tw__memory_way_out(const struct tw_sched *rt, tw_data d, tw_node n)
{
	switch (rt->memory[n].kind[d]) {
	case CLEAN:
	case CLEAN_QUEUED:
		return WAY_FREE;
	case LAST:
	case LAST_QUEUED:
		return WAY_HOME;
	default:
		return WAY_NONE;
	}
}

bool tw__memory_is_empty(const struct tw_sched *rt, tw_node n) { return rt->memory[n].n_data == 0; }

void tw__memory_drop_chunks(struct tw_sched *rt, tw_node n) { tw__room_drop_empty_chunks(&rt->memory[n].room); }

/* Evicts the copy at once, because the copy that the backing memory has got may be the next victim there. */
void tw__memory_emptied_of(struct tw_sched *rt, tw_data d, tw_node from)
{
	if (rt->memory[from].mode == DRAINING && tw__memory_way_out(rt, d, from) == WAY_FREE)
		tw__memory_release(rt, d, from, TW__EVICTION);
}
