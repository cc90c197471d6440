/* heteroprio: ready tasks wait in buckets, one for each operation. Each arch visits the buckets in its own order,
 * starting with the operations that it is good at. Slow workers leave the last few tasks of a bucket to fast workers.
 * This is Heteroprio of Bramas 2019, section "Heteroprio", and Agullo et al. 2016.
 *
 * In the paper, the application provides the orders of buckets, the fastest type for each bucket and the speedup
 * factors. Here the user may give them: parameters `cpu`, `gpu`, `best_cpu`, `best_gpu` and `speedup`. The application
 * may also have buckets for small and large tasks of one operation, as here with `sizes`. By default, orders and
 * factors follow from the kernel times of all tasks:
 * - An arch visits the buckets in descending order of its advantage: the time on the best other arch divided by the
 *   time on this arch. Ties: the bucket whose first task comes first. The parameters `cpu` and `gpu` put some
 *   operations before all others, as an application would.
 * - The speedup factor of a bucket for an arch is the arch's mean time divided by the mean time of the fastest arch.
 *
 * Choices where the text is silent:
 * - A slow worker takes from a bucket that has "more than N * S" tasks: N is the number of fast workers, S the speedup
 *   factor. With at_least=yes, N * S tasks are enough, as in the paper's example ("six or more").
 * - Tasks of a bucket go first in, first out, as in the text's push_back, whatever their priorities. Transfers for
 *   critical tasks go first.
 *
 * The policy heteroprio_auto does what StarPU 1.4 does for an application that provides neither orders nor factors. */
#include <tilewright/policy.h>

#include "policies/support/buckets.h"

static const struct tw_param params[] = {TW_BUCKETS_PARAMS, TW_BUCKETS_RULES, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_bucket_queues_init(state, s, "heteroprio", false, err);
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_bucket_queues_push(state, task);
	tw_wake(s, TW_ALL); /* also wakes workers that the limit of a bucket has held back until now */
}

const struct tw_policy tw_policy_heteroprio = {
	.abi = TW_POLICY_ABI,
	.name = "heteroprio",
	.summary = "one bucket per operation; each arch visits the buckets in its own order",
	.params = params,
	.state_size = sizeof(struct tw_bucket_queues),
	.flags = TW_SEES_CRITICAL | TW_POP_ONLY_TAKES,
	.init = init,
	.push = push,
	.pop = tw_bucket_queues_pop,
	.started = tw_buckets_started,
	.done = tw_buckets_done,
};
