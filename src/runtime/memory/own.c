/* Pins and ownership of copies. Copies leave their memory, and their room becomes free. */
#include "runtime/memory/memory_state.h"
#include "runtime/state/domain.h"

/* --- leaving ------------------------------------------------------------------------------------------------------ */

void tw__copy_leave(struct tw__rt *rt, tw_data d, tw_node n, enum tw__cause cause, bool gives_room)
{
	uint64_t bytes = room_bytes(rt, d, n), offset = replicate_of(rt, d, n)->offset;
	tw__copy_invalidate(rt, d, n);
	tw__rt_record(rt, (struct tw__event){.kind = TW__FREE,
	                                     .data = d,
	                                     .node = (int16_t)n,
	                                     .bytes = bytes,
	                                     .offset = offset,
	                                     .cause = (uint8_t)cause});
	if (gives_room)
		tw__room_give(&rt->memory[n].room, offset, bytes);
	tw__copy_settle(rt, d, n, false);
	rt->pressure[n].used -= bytes;
	if (rt->in->eviction->evicted)
		rt->in->eviction->evicted(rt->root, rt->eviction_state, d, n);
	tw__domains_evicted(rt, d, n);
	rt->counters->evictions += cause == TW__EVICTION;
	tw__memory_changed(rt, n);
}

/* Invalidates a copy; in a bounded memory it also leaves. */
static void drop(struct tw__rt *rt, tw_data d, tw_node n, bool leaves)
{
	if (leaves && is_bounded(rt, n))
		tw__copy_leave(rt, d, n, TW__DEMAND, true);
	else
		tw__copy_invalidate(rt, d, n);
}

/* --- ownership ---------------------------------------------------------------------------------------------------- */

/* Discards the content of a handle: its copies leave without a write-back, but for those in transfer. */
static void discard(struct tw__rt *rt, tw_data d)
{
	for (tw_node n = 0; (n = next_node(rt, d, VALID_ON, n)) >= 0; n++)
		if (!replicate_of(rt, d, n)->pins && !rt->data[d].n_requests)
			drop(rt, d, n, true);
}

void tw__memory_own(struct tw__rt *rt, tw_data d, tw_node owner, bool has_content)
{
	if (owner == TW_NONE) {
		discard(rt, d);
		return;
	}
	if (has_content)
		tw__copy_validate(rt, d, owner);
	tw__copy_clean(rt, d, owner, false);
	for (tw_node n = 0; has_content && rt->data[d].n_valid > 1 && (n = next_node(rt, d, VALID_ON, n)) >= 0; n++) {
		const struct replicate *copy = replicate_of(rt, d, n);
		if (n != owner)
			drop(rt, d, n, !copy->pins && !copy->request && !rt->params->keeps_invalid);
	}
}

/* --- pins --------------------------------------------------------------------------------------------------------- */

void tw__memory_pin(struct tw__rt *rt, tw_data d, tw_node n, enum pin pin)
{
	if (pin == PIN_WRITTEN) {
		if (rt->data[d].n_writers++ == 0)
			tw__copy_written(rt, d);
		return;
	}
	struct replicate *copy = tw__copy_of(rt, d, n);
	if (pin == PIN_USED && copy->pins++ == 0)
		tw__copy_keep(rt, d, n, copy);
	else if (pin == PIN_QUEUED && copy->queued_tasks++ == 0)
		tw__copy_changed(rt, d, n);
}

void tw__memory_unpin(struct tw__rt *rt, tw_data d, tw_node n, enum pin pin)
{
	struct replicate *copy = replicate_of(rt, d, n);
	if (pin == PIN_WRITTEN) {
		assert(rt->data[d].n_writers > 0);
		if (--rt->data[d].n_writers == 0)
			tw__copy_written(rt, d);
		return;
	}
	uint32_t *count = pin == PIN_USED ? &copy->pins : &copy->queued_tasks;
	assert(*count > 0);
	if (--*count)
		return;
	if (pin == PIN_USED && is_bounded(rt, n) && is_allocated(rt, d, n) && !is_valid(rt, d, n) && !copy->request &&
	    !rt->params->keeps_invalid)
		tw__copy_leave(rt, d, n, TW__DEMAND, true);
	else
		tw__copy_changed(rt, d, n);
}
