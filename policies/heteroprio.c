/* heteroprio: ready tasks wait in buckets, one for each operation; each arch visits them in an order of its own, what it is
 * good at first, and slow workers leave the last few tasks to fast ones (Heteroprio of Bramas 2019, section "Heteroprio";
 * Agullo et al. 2016).
 *
 * The paper has the application give orders and factors. Here, where the text is silent:
 * - an arch visits the buckets in the order of its advantage, the time on the best other arch over its own; among equals the
 *   one with the first task first. The parameters `cpu` and `gpu` put operations before these, as an application would;
 * - a factor is the ratio of mean times, for each arch that is not the fastest;
 * - "more than N * S" is the rule, not the "six or more" of the paper's example (at_least=yes);
 * - tasks of a bucket are taken first in, first out, as the text's push_back has it; their priorities play no part. */
#include <stdlib.h>

#include <tilewright/buckets.h>
#include <tilewright/policy.h>

struct heteroprio {
	struct tw_buckets buckets;
	struct tw_task_queue *queues; /* one a bucket */
	int n_queues;
	struct tw_task_link *links;
};

static const struct tw_param params[] = {TW_BUCKETS_PARAMS, {0}};

static void finish(struct tw_sched *s, void *state)
{
	(void)s;
	struct heteroprio *h = state;
	for (int i = 0; i < h->n_queues; i++)
		tw_task_queue_finish(&h->queues[i]);
	free(h->queues);
	free(h->links);
	tw_buckets_finish(&h->buckets);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct heteroprio *h = state;
	int status = tw_buckets_init(&h->buckets, s, "heteroprio", err);
	if (status == TW_OK) {
		h->links = tw_task_links_create(s);
		status = h->links ? TW_OK : tw_fail(err, TW_NOMEM, "policy 'heteroprio': out of memory");
	}
	if (status != TW_OK)
		finish(s, state);
	return status;
}

/* One for each bucket; there may be new ones. */
static bool has_queues(struct heteroprio *h)
{
	if (h->n_queues == h->buckets.n)
		return true;
	struct tw_task_queue *queues = realloc(h->queues, (size_t)h->buckets.n * sizeof *queues);
	if (!queues)
		return false;
	h->queues = queues;
	while (h->n_queues < h->buckets.n)
		tw_task_queue_init(&queues[h->n_queues++], h->links);
	return true;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	struct heteroprio *h = state;
	int bucket = tw_buckets_push(&h->buckets, s, task);
	if (bucket == TW_NONE || !has_queues(h) || tw_task_queue_add(&h->queues[bucket], task, 0))
		tw_abort_run(s, "out of memory for a bucket");
	tw_wake(s, TW_ALL); /* also those who were held back until now */
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct heteroprio *h = state;
	struct tw_buckets *b = &h->buckets;
	tw_arch arch = tw_worker_arch(s, worker);
	for (int i = 0; i < b->n_ordered[arch]; i++) {
		int bucket = b->order[arch][i];
		if (b->of[bucket].n_ready > 0 && tw_buckets_may_take(b, bucket, arch))
			return tw_buckets_pop(b, bucket, &h->queues[bucket]);
	}
	return TW_NONE;
}

const struct tw_policy tw_policy_heteroprio = {
	.abi = TW_POLICY_ABI,
	.name = "heteroprio",
	.summary = "a bucket for each operation, visited by each arch in its own order",
	.params = params,
	.state_size = sizeof(struct heteroprio),
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
};
