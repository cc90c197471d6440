/* Idle write-backs, so that copies are clean when room is wanted. */
#include "runtime/memory/copy.h"
#include "runtime/memory/victim.h"
#include "runtime/transfers/transfers.h"

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
		tw_data d = tw__victim_choose(rt, n, &query);
		if (d == TW_NONE)
			return;
		tw__copy_clean(rt, d, n, true);
		if (!is_valid(rt, d, backing))
			tw__prefetch(rt, d, backing, TW_R, 0, CLASS_IDLE);
	}
}
