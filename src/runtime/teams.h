/* Parallel tasks (thesis, section 4.2.2). A policy lets several workers run a task together: its team. Each of them
 * pops the task. The first one is the master, which fetches the data and ends the task. The kernel starts when the data
 * are there and all have arrived, and then computes on all of them. */
#ifndef TW__TEAMS_H
#define TW__TEAMS_H

#include "runtime/state/domain.h"
#include "runtime/state/threads.h"
#include "runtime/tasks.h"

/* The team of a task, from tw_combine to the task's end. */
struct team {
	struct team *next_unused;
	tw_arch arch; /* of the workers together */
	int n, n_popped;
	int n_arrived; /* number of workers other than the master that wait for the kernel or compute it */
	struct hold *master;
	struct hold **hold; /* [n] NULL: the worker has not popped the task */
	tw_worker worker[]; /* [n] */
};

/* Returns the task's team, or NULL. */
static inline struct team *tw__team_of(const struct tw__rt *rt, tw_task t) { return rt->teams ? rt->teams[t] : NULL; }

/* Whether the worker belongs to the team, and has not popped the task. */
bool tw__team_lacks(const struct team *, tw_worker);
/* Whether the policy of that view may give the worker the task, alone or in its team. */
static inline bool tw__task_is_for(const struct driver *d, const struct tw_sched *from, tw_task t)
{
	const struct tw__rt *rt = d->rt;
	if (t < 0 || t >= rt->graph->n_tasks || tw__domain_of(rt, t) != from)
		return false;
	const struct team *team = tw__team_of(rt, t);
	if (team)
		return tw__team_lacks(team, d->worker);
	return rt->remaining[t] == 0 &&
	       tw__task_can_run(rt->in->belief, rt->graph, t, rt->platform->workers[d->worker].arch);
}

/* The worker of the hold has popped the task. Returns true if another one has done so before it. */
bool tw__team_join(struct tw__rt *, struct hold *);
/* A worker that is not the master has ended all that came before the task. Its thread then waits until the kernel has
 * ended, as it does in a kernel of its own. */
void tw__team_arrive(struct hold *);
/* Whether all workers but the master have arrived. */
static inline bool tw__team_is_gathered(const struct team *team) { return team->n_arrived == team->n - 1; }
/* Whether the master may reserve room in a bounded memory: no other worker of the team must still wait for room. */
static inline bool tw__team_may_reserve(const struct hold *h)
{
	return !h->team || !is_bounded(h->driver->rt, h->driver->node) || tw__team_is_gathered(h->team);
}
/* The kernel has ended on all workers of the team. */
void tw__team_end(struct team *);
void tw__team_close(struct tw__rt *, tw_task);

#endif
