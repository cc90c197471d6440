/* What a run did: kernels and copies with their dates, as plain numbers in memory that processes share, so that a run leaves them to the process
 * that has started it. */
#ifndef TW__HISTORY_H
#define TW__HISTORY_H

#include "trace/record.h"

struct tw__past_task {
	tw__ns start, end; /* of its kernel; both 0: it did not run */
	tw_worker worker;
};

struct tw__past_copy {
	tw__ns start, end;
	uint64_t bytes;
	tw_data data;
	tw_node from, to;
};

struct tw__history {
	size_t room; /* of all this, bytes */
	tw_task n_tasks;
	struct tw__past_task *tasks; /* [n_tasks] tasks that reductions append are left out */
	size_t n_copies, most_copies;
	struct tw__past_copy *copies; /* by start */
	tw__ns makespan;
};

/* NULL: out of memory. */
struct tw__history *tw__history_create(tw_task n_tasks);
void tw__history_destroy(struct tw__history *);

/* Replaces what is in it. TW_FAILED: there are more copies than it has room for. */
int tw__history_take(struct tw__history *, const struct tw__record *, struct tw_error *err);

#endif
