/* lru: the data that was used or brought in the longest ago leaves first; what the workload says will not be used again
 * before all others. One list per memory, the next victim in front. */
#include <tilewright/data_list.h>

const struct tw_eviction tw_eviction_lru = {
	.abi = TW_EVICTION_ABI,
	.name = "lru",
	.summary = "the least recently used data leaves first",
	.state_size = sizeof(struct tw_data_lists),
	.init = tw_age_order_init,
	.finish = tw_age_order_finish,
	.loaded = tw_age_order_loaded,
	.used = tw_age_order_used,
	.evicted = tw_age_order_evicted,
	.expendable = tw_age_order_expendable,
	.victim = tw_age_order_victim,
};
