/* darts: the eviction policy of the scheduler DARTS (Gonthier, Thibault, Marchal 2024, section 5.4). DARTS keeps two
 * lists for each GPU. The list plannedTasks holds the tasks planned for the GPU. The list taskBuffer holds the tasks
 * that the GPU has taken from its plan; they run next.
 *
 * The victim is a handle that no task of taskBuffer needs; among such handles, the one that the fewest tasks of
 * plannedTasks need. If tasks of taskBuffer need all handles, the victim is the handle with the latest use in
 * taskBuffer (Belady's rule). The paper does not say how to break ties. Here, handles that the workload says will not
 * be used again are evicted first, then the least recently used handle, as in lru.
 *
 * The paper considers "all data currently in memory" at once. The runtime first offers only handles that need no
 * write-back. If tasks need all of these, this policy asks for the handles that need a write-back, too. The scheduling
 * policy darts implements the rest of section 5.4. */
#include <tilewright/data_list.h>

#include "policies/support/least_used.h"

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	struct tw_planned_use use;
	int32_t n;
	tw_data least = tw_least_used(s, &((struct tw_data_lists *)state)->of[node], node, query, &use, &n);
	bool needed = least != TW_NONE && use.taken + use.planned > 0;
	bool asks_for_more = needed && query->more; /* the next query has these handles again, which count there */
	tw_looked_at(s, asks_for_more ? 0 : n);
	return asks_for_more ? (tw_data)TW_NONE : least;
}

const struct tw_eviction tw_eviction_darts = {
	.abi = TW_EVICTION_ABI,
	.name = "darts",
	.summary =
		"data that no taken task and the fewest planned tasks need leave first; reads the plan of the policy",
	.flags = TW_NEEDS_PLAN,
	TW_BY_LAST_USE,
	.victim = victim,
};
