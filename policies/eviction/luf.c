/* luf: evicts the handle that is least used in the future (the victim rule of policies/eviction/darts.c), for any
 * scheduling policy that plans ahead. The rule is from the first DARTS: Gonthier, Marchal, Thibault 2022, Memory-aware
 * scheduling of tasks sharing data on multiple GPUs with dynamic runtime systems. Like most eviction policies, luf
 * evicts handles that need no write-back before those that need one. This makes no difference for the paper's tasks,
 * which are independent and only read their shared data. */
#include <tilewright/data_list.h>

#include "policies/support/least_used.h"

static tw_data victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	struct tw_planned_use use;
	int32_t n;
	tw_data least = tw_least_used(s, &((struct tw_data_lists *)state)->of[node], node, query, &use, &n);
	tw_looked_at(s, n);
	return least;
}

const struct tw_eviction tw_eviction_luf = {
	.abi = TW_EVICTION_ABI,
	.name = "luf",
	.summary = "as darts, but data that need no write-back leave first; reads the plan of the policy",
	.flags = TW_NEEDS_PLAN,
	TW_BY_LAST_USE,
	.victim = victim,
};
