/* The kernels and copies of a run with their dates, as plain numbers in shared memory, so that a forked run leaves
 * them to its parent process. */
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
	size_t room; /* of the whole mapping, in bytes */
	tw_task n_tasks;
	struct tw__past_task *tasks; /* [n_tasks] without the tasks that reductions append */
	size_t n_copies, most_copies;
	struct tw__past_copy *copies; /* sorted by start */
	tw__ns makespan;
};

/* NULL: out of memory. */
struct tw__history *tw__history_create(tw_task n_tasks);
void tw__history_destroy(struct tw__history *);

/* Replaces the contents by those of the record. TW_FAILED: too many copies. */
int tw__history_take(struct tw__history *, const struct tw__record *, struct tw_error *err);

#endif
