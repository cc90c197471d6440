/* rcm: tasks in reverse Cuthill-McKee order of the graph whose edges join tasks that share data
 * (policies/support/sharing.h). Tasks that share data come close to each other. The paper is Gonthier, Marchal,
 * Thibault 2021, "From the state of the art". The paper has one GPU. With several, each gets a contiguous part of the
 * order, and a GPU without tasks steals from the longest list (policies/support/order_lists.h). */
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
