#include "policies/support/bucket_queues.h"

int tw_bucket_queues_init(struct tw_bucket_queues *q, const struct tw_sched *s, const char *policy, bool learns,
                          struct tw_error *err)
{
	q->links = tw_task_links_create(s);
	return tw_buckets_init(&q->buckets, s, policy, learns, err);
}

void tw_bucket_queues_push(struct tw_bucket_queues *q, tw_task task)
{
	int bucket = tw_buckets_push(&q->buckets, task);
	const struct tw_sched *s = q->buckets.s;
	if (q->n < q->buckets.n)
		q->of = tw_run_resize(s, q->of, (size_t)q->buckets.n, sizeof *q->of);
	while (q->n < q->buckets.n)
		tw_task_queue_init(&q->of[q->n++], s, q->links);
	tw_task_queue_add(&q->of[bucket], task, 0);
}

tw_task tw_bucket_queues_pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct tw_bucket_queues *q = state;
	struct tw_buckets *b = &q->buckets;
	tw_arch arch = tw_worker_arch(s, worker);
	for (int i = 0; i < b->n_ordered[arch]; i++) {
		int bucket = b->order[arch][i];
		if (b->of[bucket].n_ready > 0 && tw_buckets_may_take(b, bucket, arch))
			return tw_buckets_pop(b, bucket, &q->of[bucket]);
	}
	return TW_NONE;
}
