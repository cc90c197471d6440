/* rcm: tasks in reverse Cuthill-McKee order of the graph that joins tasks sharing data, so that tasks that share data are near
 * each other (Gonthier, Marchal, Thibault 2021, "From the state of the art"): see policies/support/sharing.h. Several
 * accelerators, of which the paper says nothing, take contiguous parts of the order; who has ended robs the longest list. */
#include <tilewright/policy.h>

#include "policies/support/dealt_order.h"

static int init(struct tw_sched *s, void *lists, struct tw_error *err)
{
	return tw_dealt_order_init(lists, s, tw_rcm_order, "rcm", err);
}

const struct tw_policy tw_policy_rcm = {
	.abi = TW_POLICY_ABI,
	.name = "rcm",
	.summary = "reverse Cuthill-McKee order of tasks that share data",
	.state_size = sizeof(struct tw_order_lists),
	.init = init,
	.finish = tw_order_lists_finish,
	.push = tw_order_lists_push,
	.pop = tw_order_lists_pop,
	.pops_in_vain = tw_order_lists_pops_in_vain,
	.done = tw_order_lists_done,
	.planned_use = tw_order_lists_planned_use,
};
