/* mst: tasks in the order in which they join a maximum spanning tree of the graph that joins tasks sharing data: the next is
 * the one that shares most with one before it (Gonthier, Marchal, Thibault 2021, "From the state of the art"): see
 * policies/support/sharing.h. Several accelerators, of which the paper says nothing, take contiguous parts of the order; who has ended
 * robs the longest list. */
#include <tilewright/policy.h>

#include "policies/support/dealt_order.h"

static int init(struct tw_sched *s, void *lists, struct tw_error *err)
{
	return tw_dealt_order_init(lists, s, tw_mst_order, "mst", err);
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
