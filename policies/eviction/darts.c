/* darts: evicts a handle that no task of taskBuffer needs, and among these the one that the fewest tasks of
 * plannedTasks need. If there is none, it evicts by Belady's rule the handle with the latest use in taskBuffer
 * (Gonthier, Thibault, Marchal 2024, section 5.4). Ties, about which the paper is silent: handles that the workload
 * says will not be used again, then the least recently used, as lru.
 *
 * The paper considers "all data currently in memory" at once. So if all handles that could leave without a write-back
 * are needed, this policy also considers those that need a write-back. The scheduling policy does the rest of section
 * 5.4. */
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
	.summary =
		"data that no taken task and the fewest planned tasks need leave first; for policies that plan ahead",
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
