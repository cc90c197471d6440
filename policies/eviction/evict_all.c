/* evict_all: when a handle finds no room, all handles that no task uses leave, however little room is needed. This is
 * memory reclaiming as in Augonnet 2011, section 2.3.4 ("evicting all unused data"), which calls it a rare event.
 * Write-backs go one after the other before the room is taken. The thesis' cache of allocations corresponds to chunks
 * here. */
#include <tilewright/data_list.h>

const struct tw_eviction tw_eviction_evict_all = {
	.abi = TW_EVICTION_ABI,
	.name = "evict_all",
	.summary = "all data that no task uses leave at once, as in Augonnet 2011",
	.flags = TW_EVICTS_ALL,
	.state_size = sizeof(struct tw_data_lists),
	.init = tw_age_order_init,
	.finish = tw_age_order_finish,
	.loaded = tw_age_order_loaded,
	.evicted = tw_age_order_evicted,
	.victim = tw_age_order_victim,
};
