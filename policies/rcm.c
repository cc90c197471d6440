/* rcm: tasks in reverse Cuthill-McKee order of the graph that joins tasks sharing data, so that tasks that share data are near
 * each other (Gonthier, Marchal, Thibault 2021, "From the state of the art"): see policies/support/sharing.h. Several
 * accelerators, of which the paper says nothing, take contiguous parts of the order; who has ended robs the longest list. */
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
	                !tw_rcm_order(order, &sharing) && !tw_order_lists_deal(state, s, order);
	tw_sharing_finish(&sharing);
	free(order);
	if (complete)
		return TW_OK;
	tw_order_lists_free(state);
	return tw_fail(err, TW_NOMEM, "policy 'rcm': out of memory");
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
