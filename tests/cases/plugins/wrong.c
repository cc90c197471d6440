/* An eviction policy that names a handle that does not exist. A workload that fails without a message, or that has a
 * parameter of a name that is taken. KIND says which. */
#include <tilewright/eviction.h>
#include <tilewright/workload.h>

static void loaded(struct tw_sched *s, void *state, tw_data d, tw_node n) { (void)s, (void)state, (void)d, (void)n; }

static tw_data victim(struct tw_sched *s, void *state, tw_node n, const struct tw_victim_query *query)
{
	(void)s, (void)state, (void)n, (void)query;
	return KIND ? -5 : 1000000;
}

static int generate(struct tw_graph *graph, const struct tw_args *args, struct tw_error *err)
{
	(void)graph, (void)args, (void)err;
	return TW_INVALID;
}

static const struct tw_param params[] = {
	{"n", TW_PARAM_INT, "1", 0, 0, NULL, ""}, {KIND ? "priority" : "m", TW_PARAM_INT, "1", 0, 0, NULL, ""}, {0}};

const struct tw_eviction tilewright_eviction = {
	.abi = TW_EVICTION_ABI, .name = "wrong", .loaded = loaded, .victim = victim};
const struct tw_workload tilewright_workload = {
	.abi = TW_WORKLOAD_ABI, .name = "wrong", .params = params, .generate = generate};
