/* Where else a task could have run: the times in which workers had no task.
 *
 * A worker counts as free when it has had no task for the run's patience. It is free for a task if it then stays
 * without one for as long as the task would take there. This includes transfers from main memory of all handles that
 * the task reads. So a task on a free worker would have delayed no other. */
#ifndef TW__EXPLAIN_ELSEWHERE_H
#define TW__EXPLAIN_ELSEWHERE_H

#include "explain/past_items.h"

struct tw__elsewhere {
	const struct tw__explained_run *run;
	const struct tw__past_items *items;
	struct tw__free_time {
		tw__ns start, end;
	} * times;
	size_t *first; /* [workers + 1] worker w has the times from first[w] on, and before first[w + 1] */
};

void tw__elsewhere_init(struct tw__elsewhere *, const struct tw__explained_run *, const struct tw__past_items *);
void tw__elsewhere_finish(struct tw__elsewhere *);

/* The first date from `from` on at which another worker that is no slower was free for the run's task; at most
 * `until`. */
tw__ns tw__elsewhere_from(const struct tw__elsewhere *, const struct tw__past_run *, tw__ns from, tw__ns until);

/* By how much earlier the kernel would have ended on a faster worker that became free before its end; at least 0. */
tw__ns tw__elsewhere_gain(const struct tw__elsewhere *, const struct tw__past_run *);

#endif
