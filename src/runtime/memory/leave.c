/* Copies leave their memory, and their room becomes free. */
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/memory_state.h"

void tw__copy_leave(struct tw_sched *rt, tw_data d, tw_node n, enum tw__cause cause, bool gives_room)
{
	struct replicate *copy = replicate_of(rt, d, n);
	struct memory *m = &rt->memory[n];
	uint64_t bytes = room_bytes(rt, d, n);
	tw__copy_invalidate(rt, d, n);
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
	if (rt->in->eviction->evicted)
		rt->in->eviction->evicted(rt, rt->eviction_state, d, n);
	if (rt->in->policy->data_evicted)
		rt->in->policy->data_evicted(rt, rt->policy_state, d, n);
	rt->counters->evictions += cause == TW__EVICTION;
	tw__memory_changed(rt, n);
}

void tw__memory_release(struct tw_sched *rt, tw_data d, tw_node n, enum tw__cause cause)
{
	tw__copy_leave(rt, d, n, cause, true);
}

static bool keeps_invalid(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return rt->hooks.keeps_invalid && rt->hooks.keeps_invalid(rt, d, n);
}

void tw__copy_unpin(struct tw_sched *rt, tw_data d, tw_node n)
{
	struct replicate *copy = replicate_of(rt, d, n);
	assert(copy->pins > 0);
	if (--copy->pins)
		return;
	if (is_bounded(rt, n) && is_allocated(rt, d, n) && !is_valid(rt, d, n) && !copy->request &&
	    !keeps_invalid(rt, d, n))
		tw__memory_release(rt, d, n, TW__DEMAND);
	else
		tw__copy_changed(rt, d, n);
}

void tw__own(struct tw_sched *rt, tw_data d, tw_node owner)
{
	tw__copy_validate(rt, d, owner);
	tw__copy_clean(rt, d, owner, false);
	for (tw_node n = 0; rt->data[d].n_valid > 1 && (n = next_node(rt, d, VALID_ON, n)) >= 0; n++) {
		if (n == owner)
			continue;
		if (is_bounded(rt, n) && !replicate_of(rt, d, n)->pins && !replicate_of(rt, d, n)->request &&
		    !keeps_invalid(rt, d, n))
			tw__memory_release(rt, d, n, TW__DEMAND);
		else
			tw__copy_invalidate(rt, d, n);
	}
}
