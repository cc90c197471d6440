/* What a run did, task by task and way by way: plain numbers in memory that processes share, so that a run leaves them to the process that
 * has started it. */
#ifndef TW__HISTORY_H
#define TW__HISTORY_H

#include "trace/record.h"

struct tw__past_task {
	double start, seconds; /* of its kernel; seconds 0: it did not run */
	tw_worker worker;
};

/* Copies from one memory to another. */
struct tw__past_way {
	int64_t n;
	double bytes, seconds; /* sums */
};

struct tw__history {
	size_t bytes; /* of all this */
	tw_task n_tasks;
	int n_nodes;
	struct tw__past_way *ways;   /* [from * n_nodes + to] */
	struct tw__past_task *tasks; /* [n_tasks] */
};

/* NULL: out of memory. */
struct tw__history *tw__history_create(tw_task n_tasks, int n_nodes);
void tw__history_destroy(struct tw__history *);

/* Replaces what is in it. Tasks that reductions have appended are left out. */
void tw__history_take(struct tw__history *, const struct tw__record *);

#endif
