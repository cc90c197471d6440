/* The history of a run: its kernels and copies with their dates. It is in memory that processes share, so that a forked
 * run leaves its history to the parent process. */
#ifndef TW__HISTORY_H
#define TW__HISTORY_H

#include "trace/record.h"

struct tw__past_task {
	tw__ns start, end; /* dates of the task's kernel; both 0: it did not run */
	tw__ns call;       /* how long its launch on a GPU took; 0: not measured */
	tw_worker worker;
};

struct tw__past_copy {
	tw__ns start, end;
	uint64_t bytes;
	tw_data data;
	tw_node from, to;
};

struct tw__history {
	size_t room; /* size of the whole mapping of shared memory, in bytes */
	tw_task n_tasks;
	struct tw__past_task *tasks; /* [n_tasks] kernels of tasks; tasks that reductions append are left out */
	size_t n_copies, most_copies;
	struct tw__past_copy *copies; /* [n_copies] transfers, sorted by start */
};

/* Creates an empty history, before the run is forked. NULL: out of memory. */
struct tw__history *tw__history_create(tw_task n_tasks);
void tw__history_destroy(struct tw__history *);

/* Replaces the contents of the history by the record's kernels and copies. TW_FAILED: too many copies. */
int tw__history_take(struct tw__history *, const struct tw__record *, struct tw_error *err);

#endif
