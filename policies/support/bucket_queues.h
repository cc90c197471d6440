/* Heteroprio's buckets (buckets.h), each with a queue of its tasks: common code of heteroprio and heteroprio_auto. */
#ifndef TILEWRIGHT_BUCKET_QUEUES_H
#define TILEWRIGHT_BUCKET_QUEUES_H

#include "policies/support/buckets.h"

struct tw_bucket_queues {
	struct tw_buckets buckets;
	struct tw_task_queue *of; /* one per bucket */
	int n;
	struct tw_task_link *links;
};

/* See tw_buckets_init. The caller finishes the queues in any case, also after an error. */
int tw_bucket_queues_init(struct tw_bucket_queues *, const struct tw_sched *, const char *policy, bool learns,
                          struct tw_error *err);
void tw_bucket_queues_finish(struct tw_bucket_queues *);

/* Adds a ready task to its bucket. Ends the run if memory is short. */
void tw_bucket_queues_push(struct tw_bucket_queues *, struct tw_sched *, tw_task);

/* Takes the next task that the worker may take out of a bucket; TW_NONE: there is none. */
tw_task tw_bucket_queues_take(struct tw_bucket_queues *, const struct tw_sched *, tw_worker);

#endif
