/* heteroprio: ready tasks wait in buckets, one for each operation; each arch visits them in an order of its own, what it is
 * good at first, and slow workers leave the last few tasks to fast ones (Heteroprio of Bramas 2019, section "Heteroprio";
 * Agullo et al. 2016).
 *
 * The paper has the application give orders and factors. Here they follow from the kernel times of all tasks:
 * - an arch visits the buckets in the order of its advantage, the time on the best other arch over its own; among equals the
 *   one with the first task first. The parameters `cpu` and `gpu` put operations before these, as an application would;
 * - a factor is the ratio of mean times, for each arch that is not the fastest.
 * Where the text is silent:
 * - a slow worker takes from a bucket with "more than N * S" tasks; with at_least=yes that many are enough, as in the paper's
 *   example ("six or more");
 * - tasks of a bucket are taken first in, first out, as the text's push_back has it, whatever their priorities; transfers for tasks that
 *   are critical go first.
 * heteroprio_auto is what StarPU 1.4 does for an application that gives nothing. */
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
	tw_wake(s, TW_ALL); /* also those who were held back until now */
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
	.summary = "a bucket for each operation, visited by each arch in its own order",
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
