/* Heteroprio's buckets (buckets.h), each with a queue of its tasks: what heteroprio and heteroprio_auto have in common. */
#ifndef TILEWRIGHT_BUCKET_QUEUES_H
#define TILEWRIGHT_BUCKET_QUEUES_H

#include "policies/support/buckets.h"

struct tw_bucket_queues {
	struct tw_buckets buckets;
	struct tw_task_queue *of; /* one a bucket */
	int n;
	struct tw_task_link *links;
};

/* See tw_buckets_init. The caller finishes the queues in any case, also after an error. */
int tw_bucket_queues_init(struct tw_bucket_queues *, const struct tw_sched *, const char *policy, bool learns,
                          struct tw_error *err);
void tw_bucket_queues_finish(struct tw_bucket_queues *);

/* A task that has become ready goes into its bucket. The run ends if memory is short. */
void tw_bucket_queues_push(struct tw_bucket_queues *, struct tw_sched *, tw_task);

/* The next task that the worker may take out of a bucket; TW_NONE: there is none. */
tw_task tw_bucket_queues_take(struct tw_bucket_queues *, const struct tw_sched *, tw_worker);

#endif
