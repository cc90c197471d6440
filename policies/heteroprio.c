/* heteroprio: ready tasks wait in buckets, one for each operation. Each arch visits the buckets in its own order,
 * starting with the operations that it is good at. Slow workers leave the last few tasks of a bucket to fast ones.
 * This is Heteroprio of Bramas 2019, section "Heteroprio", and Agullo et al. 2016.
 *
 * In the paper, the application provides orders and factors. Here they follow from the kernel times of all tasks:
 * - An arch visits the buckets in descending order of its advantage: the time on the best other arch divided by its
 *   own time. Ties: the bucket whose first task comes first. The parameters `cpu` and `gpu` put operations before
 *   these, as an application would.
 * - A factor is the ratio of mean times, for each arch that is not the fastest.
 *
 * Choices where the text is silent:
 * - A slow worker takes from a bucket with "more than N * S" tasks. With at_least=yes, N * S tasks are enough, as in
 *   the paper's example ("six or more").
 * - Tasks of a bucket go first in, first out, as in the text's push_back, whatever their priorities. Transfers for
 *   critical tasks go first.
 *
 * The policy heteroprio_auto does what StarPU 1.4 does for an application that provides nothing. */
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/bucket_queues.h"

static const struct tw_param params[] = {TW_BUCKETS_PARAMS, TW_BUCKETS_RULES, {0}};

static void finish(struct tw_sched *s, void *state)
{
	(void)s;
	tw_bucket_queues_finish(state);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	int status = tw_bucket_queues_init(state, s, "heteroprio", false, err);
	if (status != TW_OK)
		finish(s, state);
	return status;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_bucket_queues_push(state, s, task);
	tw_wake(s, TW_ALL); /* also workers that were held back until now */
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	return tw_bucket_queues_take(state, s, worker);
}

static void started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_bucket_queues *q = state;
	(void)task;
	tw_buckets_begin(&q->buckets, s, worker);
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_bucket_queues *q = state;
	tw_buckets_end(&q->buckets, s, task, worker);
}

const struct tw_policy tw_policy_heteroprio = {
	.abi = TW_POLICY_ABI,
	.name = "heteroprio",
	.summary = "one bucket per operation; each arch visits the buckets in its own order",
	.params = params,
	.state_size = sizeof(struct tw_bucket_queues),
	.flags = TW_SEES_CRITICAL | TW_POP_ONLY_TAKES,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.started = started,
	.done = done,
};
