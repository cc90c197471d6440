/* hfp: Hierarchical Fair Packing (Gonthier, Marchal, Thibault 2021, "Our contribution"): tasks that share data are packed into
 * packages whose data fit in a GPU's memory, those into greater ones, and run package by package: see policies/support/packing.h for
 * the steps. Meant to run with eviction belady, which it brings.
 *
 * Several GPUs ("HFP's packing allow us to easily adapt it to multi GPU cases. Load balancing was added in order to equilibrate the
 * predicted computation time on each GPU"): merging stops at one package for each. How to balance, after what figure 7 shows
 * ("tasks stolen by a package"): tasks move from the end of the package with the most predicted time to that with the
 * least; in the run, who has ended takes the second half of the longest list.
 * The memory is the smallest of those that lists are for (policies/support/order_lists.h). Tasks that depend on others are packed as
 * if they did not, and taken when they are ready. */
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/order_lists.h"

static const struct tw_param params[] = {TW_PACKING_PARAMS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_order_lists *lists = state;
	struct tw_sharing sharing = {0};
	tw_task n;
	if (tw_order_lists_init(lists, s, err))
		return TW_NOMEM;
	tw_task *tasks = tw_order_lists_tasks(lists, s, &n);
	bool complete = tasks && !tw_sharing_init(&sharing, tw_sched_graph(s), TW_SHARED) &&
	                !tw_order_lists_pack(lists, s, &sharing, tasks, n, 0, lists->n) &&
	                !tw_order_lists_balance(lists, s);
	tw_sharing_finish(&sharing);
	free(tasks);
	if (complete)
		return TW_OK;
	tw_order_lists_free(lists);
	return tw_fail(err, TW_NOMEM, "policy 'hfp': out of memory for packages");
}

const struct tw_policy tw_policy_hfp = {
	.abi = TW_POLICY_ABI,
	.name = "hfp",
	.summary = "packages of tasks whose data fit in a GPU's memory, one after the other",
	.params = params,
	.state_size = sizeof(struct tw_order_lists),
	.eviction = "belady",
	.init = init,
	.finish = tw_order_lists_finish,
	.push = tw_order_lists_push,
	.pop = tw_order_lists_pop,
	.pops_in_vain = tw_order_lists_pops_in_vain,
	.done = tw_order_lists_done,
	.planned_use = tw_order_lists_planned_use,
};
