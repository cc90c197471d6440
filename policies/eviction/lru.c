/* lru: evicts the handle that was used or loaded the longest ago. Handles that the workload says will not be used again
 * are evicted before all others. Each memory has one list of its handles, with the next victim at the front. */
#include <tilewright/data_list.h>

const struct tw_eviction tw_eviction_lru = {
	.abi = TW_EVICTION_ABI,
	.name = "lru",
	.summary = "the least recently used data leave first",
	TW_BY_LAST_USE,
	.victim = tw_age_order_victim,
};
