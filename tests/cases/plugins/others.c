/* An eviction policy of another version of the interface, and a workload that generates nothing. */
#include <tilewright/eviction.h>
#include <tilewright/workload.h>

const struct tw_eviction tilewright_eviction = {.abi = TW_EVICTION_ABI + 1, .name = "other"};
const struct tw_workload tilewright_workload = {.abi = TW_WORKLOAD_ABI, .name = "other"};
