/* Idle write-backs keep some copies clean, so that the memory can evict these copies at once. */
#include "runtime/memory/copy.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/memory_state.h"
#include "runtime/memory/victim.h"

tw_data tw__memory_tidy_next(struct tw_sched *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	if (rt->status != TW_OK || m->n_clean >= (int)(rt->params->clean_high * m->n_data) || m->n_dirty == 0)
		return TW_NONE;
	struct tw_victim_query query = {m->dirty, 1u << 1, NULL, m->n_dirty, true};
	tw_data d = tw__victim_choose(rt, n, &query);
	if (d != TW_NONE)
		tw__copy_clean(rt, d, n, true);
	return d;
}
