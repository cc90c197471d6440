/* evict_all: when an allocation finds no room in a memory, this policy evicts all handles there that no task uses,
 * however few bytes are needed. Augonnet 2011, section 2.3.4, describes this memory reclaiming ("evicting all unused
 * data"), and calls it a rare event. The allocation waits until all write-backs of victims have ended, one after the
 * other. The thesis also has a cache of allocations; in this runtime, chunks take its place (parameter chunk_bytes). */
#include <tilewright/data_list.h>

const struct tw_eviction tw_eviction_evict_all = {
	.abi = TW_EVICTION_ABI,
	.name = "evict_all",
	.summary = "all data that no task uses leave at once, as in Augonnet 2011",
	.flags = TW_EVICTS_ALL,
	.state_size = sizeof(struct tw_data_lists),
	.init = tw_age_order_init,
	.loaded = tw_age_order_loaded,
	.evicted = tw_age_order_evicted,
	.victim = tw_age_order_victim,
};
