/* lru: evicts the handle that was used or loaded the longest ago. Handles that the workload says will not be used again
 * are evicted before all others. Each memory has one list of its handles, with the next victim at the front. */
#include <tilewright/data_list.h>

const struct tw_eviction tw_eviction_lru = {
	.abi = TW_EVICTION_ABI,
	.name = "lru",
	.summary = "the least recently used data leave first",
	.state_size = sizeof(struct tw_data_lists),
	.init = tw_age_order_init,
	.finish = tw_age_order_finish,
	.loaded = tw_age_order_loaded,
	.used = tw_age_order_used,
	.evicted = tw_age_order_evicted,
	.expendable = tw_age_order_expendable,
	.victim = tw_age_order_victim,
};
