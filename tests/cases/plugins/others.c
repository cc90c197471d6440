/* An eviction policy of another version of the interface, and a workload whose process is killed. */
#include <signal.h>

#include <tilewright/eviction.h>
#include <tilewright/workload.h>

static int generate(struct tw_graph *graph, const struct tw_args *args, struct tw_error *err)
{
	(void)graph, (void)args, (void)err;
	raise(SIGKILL);
	return TW_OK;
}

const struct tw_eviction tilewright_eviction = {.abi = TW_EVICTION_ABI + (1 << 16), .name = "other"};
const struct tw_workload tilewright_workload = {.abi = TW_WORKLOAD_ABI, .name = "other", .generate = generate};
