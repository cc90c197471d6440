/* The choice of victims: asks the eviction policy, and checks its answer. */
#include "runtime/memory/victim.h"

#include "runtime/memory/memory_state.h"

unsigned tw__victim_kinds(bool clean, bool protect)
{
	unsigned kinds = 1u << CLEAN | (clean ? 0 : 1u << LAST | 1u << LEAVING);
	return protect ? kinds : kinds | 1u << CLEAN_QUEUED | (clean ? 0 : 1u << LAST_QUEUED | 1u << LEAVING_QUEUED);
}

tw_data tw__victim_choose(struct tw_sched *rt, tw_node n, const struct tw_victim_query *query)
{
	tw__rt_calls(rt, TW__CALL_VICTIM);
	tw_data d = rt->in->eviction->victim(rt, rt->eviction_state, n, query);
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

tw_data tw__victim(struct tw_sched *rt, tw_node n, unsigned kinds_wanted, bool more)
{
	struct memory *m = &rt->memory[n];
	struct tw_victim_query query = {m->kind, kinds_wanted, m->of_kind, n_of(m, kinds_wanted), more};
	return query.n ? tw__victim_choose(rt, n, &query) : TW_NONE;
}
