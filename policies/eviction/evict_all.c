/* evict_all: once a data finds no room, all that no task uses leaves, however little room is needed: memory reclaiming as
 * Augonnet 2011, section 2.3.4, describes it ("evicting all unused data"), who calls it a rare event. What must be written
 * back is, one data after the other, before the room is taken. The thesis' cache of allocations is chunks here. */
#include <tilewright/data_list.h>

const struct tw_eviction tw_eviction_evict_all = {
	.abi = TW_EVICTION_ABI,
	.name = "evict_all",
	.summary = "all that no task uses leaves at once, as in Augonnet 2011",
	.flags = TW_EVICTS_ALL,
	.state_size = sizeof(struct tw_data_lists),
	.init = tw_age_order_init,
	.finish = tw_age_order_finish,
	.loaded = tw_age_order_loaded,
	.evicted = tw_age_order_evicted,
	.victim = tw_age_order_victim,
};
