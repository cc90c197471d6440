/* The rule TEAM: a parallel task runs on workers of one kind, one memory and its domain. Each joins it between the
 * task's assignment and its start, and then runs nothing else until its end. */
#include "trace/replay.h"

static int violation(struct tw__replay *r, const struct tw__event *e, tw_worker w, const char *what)
{
	return tw__violation(r, TW__RULE_TEAM, "task %d (%s): %s %s", (int)e->task,
	                     r->graph->kernels[r->graph->kernel[e->task]].name, r->in->platform->workers[w].name, what);
}

int tw__replay_join(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw__task_state *t = &r->tasks[e->task];
	const struct tw__worker *joins = &r->in->platform->workers[e->worker], *master;
	if (t->step != TW__ASSIGNED)
		return violation(r, e, e->worker, "joins it before its assignment or after its start");
	master = &r->in->platform->workers[t->worker];
	if (e->worker == t->worker || r->teams.joined[e->worker] != TW_NONE)
		return violation(r, e, e->worker, "joins it, but has it, or has joined another");
	if (joins->arch != master->arch || joins->node != master->node || e->node != joins->node)
		return violation(r, e, e->worker, "joins it, but is of another kind or memory");
	if (!tw__domain_allows(&r->in->domains, r->graph, e->task, e->worker))
		return violation(r, e, e->worker, "joins it, but is not in its domain");
	tw__teams_join(&r->teams, e);
	return TW_OK;
}

int tw__replay_team_starts(struct tw__replay *r, const struct tw__event *e)
{
	for (tw_worker w = 0; (w = tw__teams_next(&r->teams, e->task, w)) != TW_NONE; w++) {
		if (r->running[w] != TW_NONE)
			return violation(r, e, w, "has joined it, but runs another task at its start");
		r->running[w] = e->task;
	}
	return TW_OK;
}

void tw__replay_team_ends(struct tw__replay *r, const struct tw__event *e)
{
	for (tw_worker w = 0; (w = tw__teams_next(&r->teams, e->task, w)) != TW_NONE; w++)
		r->running[w] = TW_NONE;
	tw__teams_leave(&r->teams, e->task);
}

tw_arch tw__replay_arch(const struct tw__replay *r, const struct tw__event *e)
{
	const struct tw__platform *p = r->in->platform;
	const tw_arch one = p->workers[e->worker].arch;
	const int further = tw__teams_count(&r->teams, e->task);
	if (further == 0)
		return one;
	return further < p->archs[one].most_cores ? p->archs[one].wide + further - 1 : TW_NONE;
}
