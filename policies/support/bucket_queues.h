/* The buckets of Heteroprio (buckets.h), each with one queue of its ready tasks: the common code of the policies
 * heteroprio and heteroprio_auto. */
#ifndef TILEWRIGHT_BUCKET_QUEUES_H
#define TILEWRIGHT_BUCKET_QUEUES_H

#include "policies/support/buckets.h"

struct tw_bucket_queues {
	struct tw_buckets buckets; /* must be the first member */
	struct tw_task_queue *of;  /* [n] queue of the ready tasks of each bucket */
	int n;
	struct tw_task_link *links;
};

/* Creates the buckets, as tw_buckets_init does with the same arguments. */
int tw_bucket_queues_init(struct tw_bucket_queues *, const struct tw_sched *, const char *policy, bool learns,
                          struct tw_error *err);

/* Adds a ready task to the queue of its bucket. */
void tw_bucket_queues_push(struct tw_bucket_queues *, tw_task);

/* Takes a task out of the first bucket from which the worker may take one now; TW_NONE: there is none. Buckets are in
 * the order in which the worker's arch visits them. The function pop of a policy whose state begins with the struct. */
tw_task tw_bucket_queues_pop(struct tw_sched *, void *state, tw_worker);

#endif
