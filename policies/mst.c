/* mst: tasks in the order in which they join a maximum spanning tree of the graph that joins tasks sharing data: the next is
 * the one that shares most with one before it (Gonthier, Marchal, Thibault 2021, "From the state of the art"): see
 * policies/support/sharing.h. Several accelerators, of which the paper says nothing, take contiguous parts of the order; who has ended
 * robs the longest list. */
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/order_lists.h"
#include "policies/support/sharing.h"

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_sharing sharing = {0};
	if (tw_order_lists_init(state, s, err))
		return TW_NOMEM;
	tw_task *order = malloc(((size_t)tw_graph_n_tasks(tw_sched_graph(s)) + 1) * sizeof *order);
	bool complete = order && !tw_sharing_init(&sharing, tw_sched_graph(s), TW_SHARED) &&
	                !tw_mst_order(order, &sharing) && !tw_order_lists_deal(state, s, order);
	tw_sharing_finish(&sharing);
	free(order);
	if (complete)
		return TW_OK;
	tw_order_lists_free(state);
	return tw_fail(err, TW_NOMEM, "policy 'mst': out of memory");
}

const struct tw_policy tw_policy_mst = {
	.abi = TW_POLICY_ABI,
	.name = "mst",
	.summary = "the order in which tasks join a maximum spanning tree of those that share data",
	.state_size = sizeof(struct tw_order_lists),
	.init = init,
	.finish = tw_order_lists_finish,
	.push = tw_order_lists_push,
	.pop = tw_order_lists_pop,
	.pops_in_vain = tw_order_lists_pops_in_vain,
	.done = tw_order_lists_done,
	.planned_use = tw_order_lists_planned_use,
};
