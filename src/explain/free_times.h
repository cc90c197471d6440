/* Where else a task could have run: the times in which workers had no task.
 *
 * A worker counts as free when it has had no task for the run's patience. It is free for a task if it then stays
 * without one for as long as the task would take there. This includes transfers from main memory of all handles that
 * the task reads. So a task on a free worker would have delayed no other. */
#ifndef TW__EXPLAIN_FREE_TIMES_H
#define TW__EXPLAIN_FREE_TIMES_H

#include "explain/past_items.h"

struct tw__free_times {
	const struct tw__explained_run *run;
	struct tw__free_time {
		tw__ns start, end;
	} * times;
	size_t *first; /* [workers + 1] worker w has the times from first[w] on, and before first[w + 1] */
};

/* The run must outlive the times. */
void tw__free_times_init(struct tw__free_times *, const struct tw__explained_run *, const struct tw__past_items *,
                         tw__ns makespan);
void tw__free_times_finish(struct tw__free_times *);

/* The first date from `from` on at which another worker that is no slower was free for the run's task; at most
 * `until`. */
tw__ns tw__free_elsewhere(const struct tw__free_times *, const struct tw__past_run *, tw__ns from, tw__ns until);
/* By how much earlier the kernel would have ended on a faster worker that became free before its end; at least 0. */
tw__ns tw__gain_elsewhere(const struct tw__free_times *, const struct tw__past_run *);

#endif
