/* belady: an eviction policy. It evicts the handle whose next planned use is the latest. This is the offline optimum
 * for a fixed order of tasks (Belady 1966, as in Gonthier, Marchal, Thibault 2021, section 3.2). The scheduling policy
 * provides the plan; if it plans nothing, the order of submission is the plan. Handles without a planned use are
 * evicted before all others. Ties: first the handles that the workload says will not be used again, then the least
 * recently used handle. The choice of a victim costs one step per handle that may be evicted. */
#include <tilewright/data_list.h>

/* The search for a victim in a memory. */
struct search {
	struct tw_sched *s;
	tw_node node;
	const struct tw_data_list *list;
	const struct tw_planned_use *uses; /* [data]; NULL: unknown, then tw_data_planned_use answers */
	tw_data farthest;                  /* the best handle so far; TW_NONE: none */
	int64_t next;                      /* its next use */
	int32_t n;                         /* number of handles considered */
};

static void consider(struct search *f, tw_data d)
{
	f->n++;
	int64_t use = f->uses ? f->uses[d].next : tw_data_planned_use(f->s, d, f->node).next;
	if (use < f->next ||
	    (use == f->next && f->farthest != TW_NONE && f->list->place[d] > f->list->place[f->farthest]))
		return;
	f->farthest = d;
	f->next = use;
}

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	struct tw_data_list *list = &((struct tw_data_lists *)state)->of[node];
	struct search f = {s, node, list, tw_planned_uses(s, node), TW_NONE, INT64_MIN, 0};
	if (!query->of_kind)
		for (int32_t i = tw_data_list_start(list, query); i < list->end && f.next < TW_NEVER; i++)
			if (tw_may_evict(query, list->slots[i]))
				consider(&f, list->slots[i]);
	for (unsigned k = 0; query->of_kind && query->kinds >> k; k++)
		for (int32_t i = 0; query->kinds >> k & 1 && i < query->of_kind[k].n; i++)
			consider(&f, query->of_kind[k].data[i]);
	tw_looked_at(s, f.n);
	return f.farthest;
}

const struct tw_eviction tw_eviction_belady = {
	.abi = TW_EVICTION_ABI,
	.name = "belady",
	.summary = "the handle whose next planned use is the farthest leaves first; reads the plan of the policy",
	.flags = TW_NEEDS_PLAN,
	TW_BY_LAST_USE,
	.victim = victim,
};
