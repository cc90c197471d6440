/* belady: an eviction policy. It evicts the handle whose next planned use is the latest. This is the offline optimum
 * for a fixed order of tasks (Belady 1966, as in Gonthier, Marchal, Thibault 2021, section 3.2). The scheduling policy
 * provides the plan. Handles without a planned use are evicted before all others. Ties: first the handles that the
 * workload says will not be used again, then the least recently used handle. The choice of a victim costs one step per
 * handle that may be evicted. */
#include <tilewright/data_list.h>

/* The handles in a memory, and the answers to the question when each is used next. */
struct handles {
	struct tw_sched *s;
	tw_node node;
	const struct tw_data_list *list;
	const struct tw_planned_use *uses; /* [data]; NULL: unknown, then tw_data_planned_use answers */
};

static int64_t next_use(const struct handles *h, tw_data d)
{
	return h->uses ? h->uses[d].next : tw_data_planned_use(h->s, d, h->node).next;
}

/* Returns the handle of the list with the latest planned use; TW_NONE: no handle may be evicted. Of handles with
 * equally late uses, the first in the list wins. */
static tw_data walk(const struct handles *h, const struct tw_victim_query *query)
{
	tw_data farthest = TW_NONE;
	int64_t next = 0;
	for (const tw_data *d = h->list->slots + h->list->begin, *end = h->list->slots + h->list->end; d < end; d++) {
		if (!tw_may_evict(query, *d))
			continue;
		int64_t use = next_use(h, *d);
		if (farthest != TW_NONE && use <= next)
			continue;
		farthest = *d;
		next = use;
		if (next == TW_NEVER)
			break;
	}
	return farthest;
}

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	const struct tw_data_list *list = &((const struct tw_data_lists *)state)->of[node];
	const struct handles h = {s, node, list, tw_planned_uses(s, node)};
	tw_data farthest = TW_NONE;
	int64_t next = INT64_MIN;
	if (!query->of_kind)
		return walk(&h, query);
	for (unsigned k = 0; query->kinds >> k; k++) {
		const tw_data *d = query->of_kind[k].data, *end = d + (query->kinds >> k & 1 ? query->of_kind[k].n : 0);
		for (; d < end; d++) {
			int64_t use = next_use(&h, *d);
			if (use < next ||
			    (use == next && farthest != TW_NONE && list->place[*d] > list->place[farthest]))
				continue;
			farthest = *d;
			next = use;
		}
	}
	return farthest;
}

const struct tw_eviction tw_eviction_belady = {
	.abi = TW_EVICTION_ABI,
	.name = "belady",
	.summary = "the handle whose next planned use is the farthest leaves first; for policies that plan ahead",
	.flags = TW_NEEDS_PLAN,
	.state_size = sizeof(struct tw_data_lists),
	.init = tw_age_order_init,
	.finish = tw_age_order_finish,
	.loaded = tw_age_order_loaded,
	.used = tw_age_order_used,
	.evicted = tw_age_order_evicted,
	.expendable = tw_age_order_expendable,
	.victim = victim,
};
