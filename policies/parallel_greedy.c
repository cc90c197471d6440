/* parallel_greedy: one queue for all; the workers of a group run its tasks together. This is parallel-greedy of
 * Augonnet 2011, section 4.3.2. "The different workers are partitioned into groups of fixed size", one is the master of
 * its group, and "when this master grabs a task from the shared queue, a copy of this task structure is passed to each
 * of the different slave workers".
 *
 * A group has workers of one kind, one memory and one socket (across=yes: several sockets); a GPU is a group of its
 * own. A task that cannot run on the whole group runs on the most of its workers that can. The thesis does not say
 * which groups there are if the size does not divide the number of workers: the last group is smaller. Without parallel
 * tasks (--max-parallelism) this is eager. */
#include <math.h>

#include <tilewright/policy.h>

#include "policies/support/worker_groups.h"

struct greedy {
	tw_task *queue; /* room for all tasks of the run */
	int32_t first, end;
	int *size; /* [workers] of the group whose master the worker is; 0: it is no master. Its workers follow it */
	tw_worker *team; /* [workers] room */
	tw_task *alias;  /* [workers] the task that the master of its group has passed to the worker, or TW_NONE */
};

static const struct tw_param params[] = {
	{"size", TW_PARAM_INT, "0", 0, 1024, NULL, "workers of a group; 0: as many as can run a task together"},
	TW_WORKER_GROUPS_PARAM,
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct greedy *g = state;
	const tw_worker n = tw_n_workers(s);
	const int64_t wanted = tw_args_int(tw_sched_args(s), "size");
	(void)err;
	g->queue = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *g->queue);
	g->size = tw_run_alloc(s, (size_t)n, sizeof *g->size);
	g->team = tw_run_alloc(s, (size_t)n, sizeof *g->team);
	g->alias = tw_run_alloc(s, (size_t)n, sizeof *g->alias);
	for (tw_worker w = 0; w < n; w += g->size[w]) {
		int most = tw_worker_group_size(s, w);
		g->size[w] = wanted && wanted < most ? (int)wanted : most;
		for (int i = 0; i < g->size[w]; i++)
			g->alias[w + i] = TW_NONE;
	}
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct greedy *g = state;
	(void)released_by;
	g->queue[g->end++] = task;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (g->size[w])
			tw_wake(s, w);
}

/* Returns the most workers of the master's group that can run the task together; 0: not even one can. */
static int width_of(const struct tw_sched *s, const struct greedy *g, tw_task task, tw_worker master)
{
	int n = g->size[master];
	while (n > 0 && isinf(tw_parallel_length(s, task, master, n)))
		n--;
	return n;
}

/* Passes the task to the master's slaves. */
static void pass(struct tw_sched *s, struct greedy *g, tw_task task, tw_worker master, int n)
{
	tw_worker *workers = g->team;
	for (int i = 0; i < n; i++)
		workers[i] = master + i;
	tw_combine(s, task, workers, n);
	for (int i = 1; i < n; i++) {
		g->alias[master + i] = task;
		tw_wake(s, master + i);
	}
}

/* Whether the worker is a master whose slaves have taken what it has passed to them. */
static bool may_grab(const struct greedy *g, tw_worker worker)
{
	int i = 0;
	while (i < g->size[worker] && g->alias[worker + i] == TW_NONE)
		i++;
	return i > 0 && i == g->size[worker];
}

static tw_task take_alias(struct tw_sched *s, struct greedy *g, tw_worker slave)
{
	tw_task alias = g->alias[slave];
	tw_worker master = slave;
	while (!g->size[master])
		master--;
	g->alias[slave] = TW_NONE;
	if (alias != TW_NONE && may_grab(g, master))
		tw_wake(s, master);
	return alias;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct greedy *g = state;
	for (int32_t i = g->first; i < g->end && may_grab(g, worker); i++) {
		tw_task task = g->queue[i];
		int n = width_of(s, g, task, worker);
		if (n == 0)
			continue;
		for (; i > g->first; i--) /* shifts the tasks ahead by one place; this group cannot run them */
			g->queue[i] = g->queue[i - 1];
		g->first++;
		pass(s, g, task, worker, n);
		return task;
	}
	return take_alias(s, g, worker);
}

const struct tw_policy tw_policy_parallel_greedy = {
	.abi = TW_POLICY_ABI,
	.name = "parallel_greedy",
	.summary = "one queue; groups of cores run its tasks together",
	.params = params,
	.state_size = sizeof(struct greedy),
	.init = init,
	.push = push,
	.pop = pop,
};
