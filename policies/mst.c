/* mst: runs tasks in the order in which they join a maximum spanning tree. In the graph of this tree, vertices are
 * tasks, and edges join tasks that share data (policies/support/sharing.h). The next task is the one that shares the
 * most bytes with a task already in the tree. The paper is Gonthier, Marchal, Thibault 2021, "From the state of the
 * art". The paper has one GPU. With several GPUs, each gets a contiguous part of the order. A GPU without tasks steals
 * from the GPU with the longest list (policies/support/order_lists.h). */
#include <tilewright/policy.h>

#include "policies/support/dealt_order.h"

static int init(struct tw_sched *s, void *lists, struct tw_error *err)
{
	return tw_dealt_order_init(lists, s, tw_mst_order, "mst", err);
}

const struct tw_policy tw_policy_mst = {
	.abi = TW_POLICY_ABI,
	.name = "mst",
	.summary = "tasks in the order in which they join a maximum spanning tree by shared data",
	.state_size = sizeof(struct tw_order_lists),
	.init = init,
	.finish = tw_order_lists_finish,
	.push = tw_order_lists_push,
	.pop = tw_order_lists_pop,
	.pops_in_vain = tw_order_lists_pops_in_vain,
	.done = tw_order_lists_done,
	.planned_use = tw_order_lists_planned_use,
};
