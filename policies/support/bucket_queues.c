#include "policies/support/bucket_queues.h"

#include <stdlib.h>

int tw_bucket_queues_init(struct tw_bucket_queues *q, const struct tw_sched *s, const char *policy, bool learns,
                          struct tw_error *err)
{
	int status = tw_buckets_init(&q->buckets, s, policy, learns, err);
	if (status != TW_OK)
		return status;
	q->links = tw_task_links_create(s);
	return q->links ? TW_OK : tw_fail(err, TW_NOMEM, "policy '%s': out of memory", policy);
}

void tw_bucket_queues_finish(struct tw_bucket_queues *q)
{
	for (int i = 0; i < q->n; i++)
		tw_task_queue_finish(&q->of[i]);
	free(q->of);
	free(q->links);
	tw_buckets_finish(&q->buckets);
}

/* Creates queues for the buckets that have none yet. Returns false if out of memory. */
static bool has_queues(struct tw_bucket_queues *q)
{
	if (q->n == q->buckets.n)
		return true;
	struct tw_task_queue *queues = realloc(q->of, (size_t)q->buckets.n * sizeof *queues);
	if (!queues)
		return false;
	q->of = queues;
	while (q->n < q->buckets.n)
		tw_task_queue_init(&queues[q->n++], q->links);
	return true;
}

void tw_bucket_queues_push(struct tw_bucket_queues *q, struct tw_sched *s, tw_task task)
{
	int bucket = tw_buckets_push(&q->buckets, s, task);
	if (bucket == TW_NONE || !has_queues(q) || tw_task_queue_add(&q->of[bucket], task, 0))
		tw_abort_run(s, "out of memory for a bucket");
}

tw_task tw_bucket_queues_take(struct tw_bucket_queues *q, const struct tw_sched *s, tw_worker worker)
{
	struct tw_buckets *b = &q->buckets;
	tw_arch arch = tw_worker_arch(s, worker);
	for (int i = 0; i < b->n_ordered[arch]; i++) {
		int bucket = b->order[arch][i];
		if (b->of[bucket].n_ready > 0 && tw_buckets_may_take(b, bucket, arch))
			return tw_buckets_pop(b, bucket, &q->of[bucket]);
	}
	return TW_NONE;
}
