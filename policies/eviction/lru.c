/* lru: evicts the handle used or loaded the longest ago. Handles that the workload says will not be used again leave
 * before all others. One list per memory, with the next victim in front. */
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
