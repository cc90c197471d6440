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

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_order_lists *lists = state;
	struct tw_sharing sharing = tw_sharing_of(tw_sched_graph(s));
	tw_task n;
	(void)err;
	tw_order_lists_init(lists, s);
	tw_task *tasks = tw_order_lists_tasks(lists, s, &n);
	tw_sharing_drop_tasks(&sharing);
	tw_order_lists_pack(lists, s, &sharing, tasks, n, 0, lists->n);
	tw_order_lists_balance(lists, s);
	tw_sharing_finish(&sharing);
	free(tasks);
	return TW_OK;
}

const struct tw_policy tw_policy_hfp = {
	.abi = TW_POLICY_ABI,
	.name = "hfp",
	.summary = "packages of tasks whose data fit in a GPU's memory run one after the other",
	.params = tw_packing_params,
	.eviction = "belady",
	.init = init,
	TW_ORDER_LISTS_MEMBERS,
};
