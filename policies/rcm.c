/* rcm: runs tasks in reverse Cuthill-McKee order, so that tasks that share data run soon after each other. In the graph
 * of this order, vertices are tasks, and edges join tasks that share data (policies/support/sharing.h). The paper is
 * Gonthier, Marchal, Thibault 2021, "From the state of the art". The paper has one GPU. With several GPUs, each gets a
 * contiguous part of the order. A GPU without tasks steals from the GPU with the longest list
 * (policies/support/order_lists.h). */
#include <tilewright/policy.h>

#include "policies/support/dealt_order.h"

static int init(struct tw_sched *s, void *lists, struct tw_error *err)
{
	return tw_dealt_order_init(lists, s, tw_rcm_order, "rcm", err);
}

const struct tw_policy tw_policy_rcm = {
	.abi = TW_POLICY_ABI,
	.name = "rcm",
	.summary = "tasks in reverse Cuthill-McKee order by shared data",
	.state_size = sizeof(struct tw_order_lists),
	.init = init,
	.finish = tw_order_lists_finish,
	.push = tw_order_lists_push,
	.pop = tw_order_lists_pop,
	.pops_in_vain = tw_order_lists_pops_in_vain,
	.done = tw_order_lists_done,
	.planned_use = tw_order_lists_planned_use,
};
