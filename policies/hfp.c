/* hfp: Hierarchical Fair Packing (Gonthier, Marchal, Thibault 2021, "Our contribution"). Tasks that share data are
 * packed into packages whose data fit in a GPU's memory. These packages are packed into larger packages, and so on. A
 * GPU runs the small packages inside a large one one after the other (policies/support/packing.h lists the steps). The
 * default eviction policy is belady.
 *
 * With several GPUs, merging stops at one package per GPU ("HFP's packing allow us to easily adapt it to multi GPU
 * cases. Load balancing was added in order to equilibrate the predicted computation time on each GPU"). The balancing
 * follows figure 7 ("tasks stolen by a package"). It moves tasks from the end of the package with the most predicted
 * time to the package with the least. During the run, a GPU with an empty list steals the second half of the longest
 * list.
 *
 * The size limit of packages is the smallest memory that has a list of tasks (policies/support/order_lists.h). Packing
 * ignores dependencies. During the run, a GPU takes a task only when the task is ready. */
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
	.summary = "packages of tasks whose data fit in a GPU's memory run one after the other",
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
