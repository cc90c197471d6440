/* LUF, least used in the future: the eviction rule of DARTS (Gonthier, Thibault, Marchal 2024, section 5.4). The victim
 * is a handle that no taken task needs; among such handles, the one that the fewest planned tasks need. If taken tasks
 * need all handles, the victim is the handle that taken tasks need the latest (Belady's rule). The paper keeps taken
 * tasks in taskBuffer, and planned tasks in plannedTasks. For eviction policies. */
#ifndef TILEWRIGHT_LEAST_USED_H
#define TILEWRIGHT_LEAST_USED_H

#include <tilewright/data_list.h>

static inline bool tw_leaves_before(const struct tw_planned_use *a, const struct tw_planned_use *b)
{
	if ((a->taken == 0) != (b->taken == 0))
		return a->taken == 0;
	return a->taken ? a->next > b->next : a->planned < b->planned;
}

/* Returns the victim by the LUF rule; ties: the first handle in the list. `*use`: the planned use of the victim.
 * TW_NONE: no handle may be evicted. `*n`: number of handles looked at. */
static inline tw_data tw_least_used(struct tw_sched *s, struct tw_data_list *list, tw_node node,
                                    const struct tw_victim_query *query, struct tw_planned_use *use, int32_t *n)
{
	tw_data least = TW_NONE;
	*n = 0;
	for (int32_t i = tw_data_list_start(list, query); i < list->end; i++) {
		tw_data d = list->slots[i];
		if (!tw_may_evict(query, d))
			continue;
		++*n;
		struct tw_planned_use now = tw_data_planned_use(s, d, node);
		if (least == TW_NONE || tw_leaves_before(&now, use)) {
			least = d;
			*use = now;
		}
		if (use->taken + use->planned == 0)
			break;
	}
	return least;
}

#endif
