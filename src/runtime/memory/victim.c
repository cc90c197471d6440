/* The choice of victims for evictions and for idle write-backs: asks the eviction policy, and checks its answer. Idle
 * write-backs keep some copies clean, so that the memory can evict these copies at once. */
#include "runtime/memory/memory_state.h"

unsigned tw__victim_kinds(bool clean, bool protect)
{
	unsigned kinds = 1u << CLEAN | (clean ? 0 : 1u << LAST | 1u << LEAVING);
	return protect ? kinds : kinds | 1u << CLEAN_QUEUED | (clean ? 0 : 1u << LAST_QUEUED | 1u << LEAVING_QUEUED);
}

/* Returns the victim that the eviction policy chooses among the copies that the query allows; TW_NONE: none. */
static tw_data choose(struct tw__rt *rt, tw_node n, const struct tw_victim_query *query)
{
	tw__rt_calls(rt, TW__CALL_VICTIM);
	tw_data d = rt->in->eviction->victim(rt->root, rt->eviction_state, n, query);
	tw__rt_calls(rt, TW__CALL_NONE);
	bool there_is = d >= 0 && d < rt->graph->n_data;
	if (d != TW_NONE && (!there_is || !tw_may_evict(query, d))) {
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

tw_data tw__victim(struct tw__rt *rt, tw_node n, unsigned kinds_wanted, bool more)
{
	struct memory *m = &rt->memory[n];
	struct tw_victim_query query = {.kind = m->kind,
	                                .kinds = kinds_wanted,
	                                .of_kind = m->of_kind,
	                                .n = n_of(m, kinds_wanted),
	                                .more = more};
	return query.n ? choose(rt, n, &query) : TW_NONE;
}

/* --- idle write-backs --------------------------------------------------------------------------------------------- */

void tw__memory_tidy(struct tw__rt *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	if (!tw_id_set_has(&rt->untidy, n))
		return;
	tw_data last = TW_NONE;
	while (rt->status == TW_OK && m->n_dirty && m->n_clean < (int)(rt->params->clean_high * m->n_data)) {
		struct tw_victim_query query = {.kind = m->dirty,
		                                .kinds = 1u << 1,
		                                .n = m->n_dirty,
		                                .more = true,
		                                .behind = last == TW_NONE ? NULL : &last,
		                                .dirtied = &m->dirtied};
		tw_data d = choose(rt, n, &query);
		if (d == TW_NONE)
			return;
		last = d;
		tw__copy_clean(rt, d, n, true);
		if (!is_valid(rt, d, rt->platform->nodes[n].backing))
			rt->write_home(rt, d, n, true);
	}
}

void tw__memory_expendable(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (!is_bounded(rt, n) || !is_valid(rt, d, n))
		return;
	if (!is_valid(rt, d, tw__home_of(rt->homes, d)))
		rt->write_home(rt, d, n, true);
	tw__copy_clean(rt, d, n, true);
	if (rt->in->eviction->expendable)
		rt->in->eviction->expendable(rt->root, rt->eviction_state, d, n);
}
