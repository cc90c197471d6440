/* darts: what no task of taskBuffer needs, and of that what the fewest tasks of plannedTasks need; else, by Belady's rule, what
 * is used the latest in taskBuffer (Gonthier, Thibault, Marchal 2024, section 5.4). The paper does not tell which of several
 * such data leaves first: what the workload says will not be used again, then the least recently used one, as under lru.
 *
 * "All data currently in memory" are considered at once: where all that could leave without a copy is needed, data that
 * must be written back first are looked at, too. What else section 5.4 does at an eviction is the policy's. */
#include <tilewright/data_list.h>

#include "policies/support/least_used.h"

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	struct tw_planned_use use;
	tw_data least = tw_least_used(s, &((struct tw_data_lists *)state)->of[node], node, query, &use);
	bool needed = least != TW_NONE && use.taken + use.planned > 0;
	return needed && query->more ? (tw_data)TW_NONE : least;
}

const struct tw_eviction tw_eviction_darts = {
	.abi = TW_EVICTION_ABI,
	.name = "darts",
	.summary = "what no task taken and the fewest planned ones need; for policies that plan ahead",
	.state_size = sizeof(struct tw_data_lists),
	.flags = TW_NEEDS_PLAN,
	.init = tw_age_order_init,
	.finish = tw_age_order_finish,
	.loaded = tw_age_order_loaded,
	.used = tw_age_order_used,
	.evicted = tw_age_order_evicted,
	.expendable = tw_age_order_expendable,
	.victim = victim,
};
