/* fifo: an eviction policy. It evicts the handle that has been in the memory for the longest time, however often tasks
 * have used it. */
#include <tilewright/data_list.h>

const struct tw_eviction tw_eviction_fifo = {
	.abi = TW_EVICTION_ABI,
	.name = "fifo",
	.summary = "data leave in the order in which they came",
	.state_size = sizeof(struct tw_data_lists),
	.init = tw_age_order_init,
	.loaded = tw_age_order_loaded,
	.evicted = tw_age_order_evicted,
	.victim = tw_age_order_victim,
};
