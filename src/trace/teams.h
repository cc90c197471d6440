/* The workers that have joined parallel tasks (TW__JOIN), for readers that go over the events of a record in order. A
 * worker joins one task at a time. */
#ifndef TW__TRACE_TEAMS_H
#define TW__TRACE_TEAMS_H

#include "trace/record.h"

struct tw__teams {
	tw_worker n_workers, n_joined;
	tw_task *joined; /* [n_workers] the task that each has joined; TW_NONE: none */
};

/* `joined`: room for all workers. */
static inline void tw__teams_init(struct tw__teams *teams, tw_worker n_workers, tw_task *joined)
{
	*teams = (struct tw__teams){.n_workers = n_workers, .joined = joined};
	for (tw_worker w = 0; w < n_workers; w++)
		joined[w] = TW_NONE;
}

static inline void tw__teams_join(struct tw__teams *teams, const struct tw__event *e)
{
	teams->n_joined += teams->joined[e->worker] == TW_NONE;
	teams->joined[e->worker] = e->task;
}

/* Returns the first worker from `w` on that has joined the task; TW_NONE: there is none. */
static inline tw_worker tw__teams_next(const struct tw__teams *teams, tw_task t, tw_worker w)
{
	if (teams->n_joined == 0)
		return TW_NONE;
	while (w < teams->n_workers && teams->joined[w] != t)
		w++;
	return w < teams->n_workers ? w : TW_NONE;
}

static inline int tw__teams_count(const struct tw__teams *teams, tw_task t)
{
	int n = 0;
	for (tw_worker w = 0; (w = tw__teams_next(teams, t, w)) != TW_NONE; w++)
		n++;
	return n;
}

/* The task has ended: all leave it. */
static inline void tw__teams_leave(struct tw__teams *teams, tw_task t)
{
	for (tw_worker w = 0; (w = tw__teams_next(teams, t, w)) != TW_NONE; w++) {
		teams->joined[w] = TW_NONE;
		teams->n_joined--;
	}
}

#endif
