/* mst: runs tasks in the order in which they join a maximum spanning tree. In the graph of this tree, vertices are
 * tasks, and edges join tasks that share data (policies/support/sharing.h); an edge weighs the shared bytes. Prim's
 * algorithm grows the tree from the first task: the next task is the one that shares the most bytes with a task already
 * in the tree. Tasks that share nothing with the tree follow in the order of submission.
 *
 * The paper is Gonthier, Marchal, Thibault 2021, "From the state of the art". The paper has one GPU. With several GPUs,
 * each gets a contiguous part of the order. A GPU without tasks steals from the GPU with the longest list
 * (policies/support/order_lists.h). */
#include <tilewright/containers.h>
#include <tilewright/policy.h>

#include "policies/support/order_lists.h"

struct tree {
	const struct tw_sharing *sh;
	/* Tasks outside the tree that share data with it; the one that shares most with a task in the tree is on
	 * top. */
	struct tw_id_heap outside;
	/* [tasks] bytes that each task outside the tree shares with the task that joined last */
	uint64_t *weight;
	tw_task *touched; /* scratch list of the tasks whose `weight` is not 0 */
	bool *inside;     /* [tasks] whether the task is in the tree */
};

/* Adds the task to the tree. The edges of the task, one for each task that it shares data with, are computed here and
 * not kept. */
static void join(struct tree *tree, tw_task t)
{
	const struct tw_sharing *sh = tree->sh;
	tw_task n = 0;
	tw_id_heap_remove(&tree->outside, t);
	tree->inside[t] = true;
	for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++)
		for (size_t j = sh->first_task[sh->data[i]]; j < sh->first_task[sh->data[i] + 1]; j++) {
			tw_task u = sh->tasks[j];
			if (tree->inside[u])
				continue;
			if (tree->weight[u] == 0)
				tree->touched[n++] = u;
			tree->weight[u] += sh->bytes[sh->data[i]];
		}
	for (tw_task i = 0; i < n; i++) {
		tw_task u = tree->touched[i];
		if (tree->outside.place[u] == TW_NONE || tree->weight[u] > tree->outside.score[u])
			tw_id_heap_put(&tree->outside, u, tree->weight[u]);
		tree->weight[u] = 0;
	}
}

int64_t tw_mst_order(tw_task *order, const struct tw_sharing *sh)
{
	size_t n = (size_t)sh->n_tasks;
	struct tree tree = {
		.sh = sh,
		.weight = tw_alloc(n, sizeof *tree.weight),
		.touched = tw_alloc(n, sizeof *tree.touched),
		.inside = tw_alloc(n, sizeof *tree.inside),
	};
	tw_task first = 0;
	tw_id_heap_init(&tree.outside, sh->n_tasks);
	for (tw_task i = 0; i < sh->n_tasks; i++) {
		tw_task next = tw_id_heap_top(&tree.outside);
		while (next == TW_NONE && tree.inside[first])
			first++;
		order[i] = next != TW_NONE ? next : first;
		join(&tree, order[i]);
	}
	tw_id_heap_finish(&tree.outside);
	free(tree.weight);
	free(tree.touched);
	free(tree.inside);
	return tw_sharing_pairs(sh);
}

static int init(struct tw_sched *s, void *lists, struct tw_error *err)
{
	(void)err;
	tw_order_lists_init(lists, s);
	tw_order_lists_deal(lists, s, tw_mst_order);
	return TW_OK;
}

const struct tw_policy tw_policy_mst = {
	.abi = TW_POLICY_ABI,
	.name = "mst",
	.summary = "tasks in the order in which they join a maximum spanning tree by shared data",
	.init = init,
	TW_ORDER_LISTS_MEMBERS,
};
