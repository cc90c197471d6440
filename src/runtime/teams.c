#include "runtime/teams.h"

#include "base/memory.h"
#include "runtime/state/domain.h"
#include "runtime/state/wakeups.h"
#include "runtime/state/wrong.h"

/* --- as policies see them ----------------------------------------------------------------------------------------- */

int tw_max_parallelism(const struct tw_sched *s, tw_worker w)
{
	if (WRONG_WORKER(s, w))
		return 0;
	const int most = s->rt->platform->archs[s->worker[w].arch].most_cores;
	return most > 1 ? most : 1;
}

/* Returns the arch of n workers like this one together. TW_NONE: so many run no task together. */
static tw_arch arch_of(const struct tw_sched *s, tw_worker w, int n)
{
	const tw_arch one = s->worker[w].arch;
	if (n < 1 || n > tw_max_parallelism(s, w))
		return TW_NONE;
	return n == 1 ? one : s->rt->platform->archs[one].wide + n - 2;
}

double tw_parallel_length(const struct tw_sched *s, tw_task t, tw_worker w, int n)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_TASK(s, t) || WRONG_WORKER(s, w))
		return INFINITY;
	if (n == 1)
		return tw_task_length(s, t, w);
	const tw_arch arch = arch_of(s, w, n);
	const double seconds = arch == TW_NONE ? NAN : tw__task_run_seconds(rt->in->belief, rt->graph, t, arch);
	return isnan(seconds) ? INFINITY : seconds;
}

/* Fails the run, because a policy has combined workers that cannot run the task together. */
static __attribute__((cold)) void refuse(const struct tw_sched *s, tw_task t, const char *why, tw_worker w)
{
	const struct tw__rt *rt = s->rt;
	tw__domain_fail(s, "tw_combine: task %d (%s)%s%s%s", (int)t,
	                tw_graph_kernel_name(rt->graph, rt->graph->kernel[t]), why, w == TW_NONE ? "" : " ",
	                w == TW_NONE ? "" : s->worker[w].name);
}

/* Whether these workers may run the task together. Otherwise the run fails. */
static bool may_combine(const struct tw_sched *s, tw_task t, const tw_worker *workers, int n)
{
	const struct tw__rt *rt = s->rt;
	if (rt->remaining[t] != 0 || tw__team_of(rt, t)) {
		refuse(s, t, " is not ready, was popped or combined before", TW_NONE);
		return false;
	}
	for (int i = 0; i < n; i++) {
		if (WRONG_WORKER(s, workers[i]))
			return false;
		const struct tw__worker *one = &s->worker[workers[0]], *other = &s->worker[workers[i]];
		bool twice = false;
		for (int j = 0; j < i; j++)
			twice |= workers[j] == workers[i];
		if (twice || one->arch != other->arch || one->node != other->node) {
			refuse(s, t, twice ? ": given twice:" : ": of another kind or memory than the first worker:",
			       workers[i]);
			return false;
		}
	}
	if (n >= 1 && !isinf(tw_parallel_length(s, t, workers[0], n)))
		return true;
	refuse(s, t, ": has no time on as many workers: expected those for which tw_parallel_length is finite",
	       TW_NONE);
	return false;
}

/* Takes a team for the task. Each has room for as many workers as run any task together. */
static int32_t open_team(struct tw__rt *rt, tw_task t, tw_node unused)
{
	const struct tw__platform *p = rt->platform;
	struct team *team = rt->unused_teams;
	size_t most = 0;
	(void)unused;
	if (!rt->teams)
		rt->teams = tw__arena_alloc(rt->plugins_memory, (size_t)tw_max_tasks(rt->root), sizeof(struct team *));
	for (tw_arch a = 0; !team && a < p->n_archs; a++)
		most = p->archs[a].most_cores > (int)most ? (size_t)p->archs[a].most_cores : most;
	if (team)
		rt->unused_teams = team->next_unused;
	else
		team = tw__arena_alloc(rt->plugins_memory, 1, sizeof *team + most * sizeof *team->worker);
	if (!team->hold)
		team->hold = tw__arena_alloc(rt->plugins_memory, most, sizeof(struct hold *));
	rt->teams[t] = team;
	return TW_OK;
}

void tw_combine(struct tw_sched *s, tw_task t, const tw_worker *workers, int n)
{
	struct tw__rt *rt = s->rt;
	if (s->child && !s->is_queue && n > 1)
		refuse(s, t, ": by a policy below another one: expected a policy of the run", TW_NONE);
	if (WRONG_TASK(s, t) || s->child || !may_combine(s, t, workers, n) || n == 1)
		return;
	if (tw__act(rt, open_team, t, TW_RAM) != TW_OK)
		return;
	struct team *team = rt->teams[t];
	*team = (struct team){.arch = arch_of(s, workers[0], n), .n = n, .hold = team->hold};
	for (int i = 0; i < n; i++) {
		team->worker[i] = s->global[workers[i]];
		team->hold[i] = NULL;
	}
}

/* --- as their workers' threads see them --------------------------------------------------------------------------- */

/* Returns the worker's place in the team; team->n: it does not belong to it. */
static int find(const struct team *team, tw_worker w)
{
	int i = 0;
	while (i < team->n && team->worker[i] != w)
		i++;
	return i;
}

bool tw__team_lacks(const struct team *team, tw_worker w)
{
	const int i = find(team, w);
	return i < team->n && !team->hold[i];
}

bool tw__team_join(struct tw__rt *rt, struct hold *h)
{
	struct team *team = h->team;
	team->hold[find(team, h->driver->worker)] = h;
	if (team->n_popped++ == 0) {
		team->master = h;
		return false;
	}
	h->state = HOLD_JOINED;
	h->joined = h->driver->has_joined = true;
	tw__rt_record(rt, (struct tw__event){.kind = TW__JOIN,
	                                     .task = h->task,
	                                     .worker = (int16_t)h->driver->worker,
	                                     .node = (int16_t)h->driver->node});
	return true;
}

void tw__team_arrive(struct hold *h)
{
	struct team *team = h->team;
	h->driver->launching = h;
	h->driver->step = STEP_LAUNCHED;
	team->n_arrived++;
	if (tw__team_is_gathered(team))
		tw__rt_signal(team->master->driver);
}

void tw__team_end(struct team *team)
{
	for (int i = 0; i < team->n; i++) {
		struct hold *h = team->hold[i];
		if (h == team->master)
			continue;
		h->state = HOLD_ENDED;
		h->driver->last_end = team->master->end;
		tw__rt_signal(h->driver);
	}
}

void tw__team_close(struct tw__rt *rt, tw_task t)
{
	struct team *team = rt->teams[t];
	rt->teams[t] = NULL;
	team->next_unused = rt->unused_teams;
	rt->unused_teams = team;
}
