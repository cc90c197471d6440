/* cpop: a static schedule, made before the run by CPOP, Critical-Path-on-a-Processor (Topcuoglu, Hariri, Wu 2002,
 * section 4.3). The priority of a task is the length of the longest path through it (tw_path_lengths). The critical
 * path is a path of the greatest priority, from a task without predecessors to one without successors. All its tasks go
 * to one worker, the one that runs them in the least time. Tasks whose predecessors are all placed are placed by
 * decreasing priority. Those beside the critical path go where they end first. Tasks may fill idle gaps. Ties: the task
 * submitted first, and the first worker.
 *
 * Choices beyond the paper, whose graphs have one task without predecessors and whose processors run every task:
 * - The path begins at the task of the greatest priority among those without predecessors. If all tasks of a domain
 *   depend on tasks of others, the path is empty.
 * - If no worker can run all tasks of the path, tasks that a worker cannot run count with their least time. They go
 *   where they end first.
 *
 * policies/support/planned_lists.h tells how workers follow the plan during the run. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/planned_lists.h"
#include "policies/support/upward_rank.h"
#include "policies/support/worker_runs.h"

/* Returns the first task of the critical path: the one of the greatest priority without predecessors. */
static tw_task path_begin(const struct tw_sched *s, const tw_task *order)
{
	const struct tw_graph *g = tw_sched_graph(s);
	for (tw_task i = 0; i < tw_graph_n_tasks(g); i++)
		if (tw_task_is_mine(s, order[i]) && tw_graph_n_predecessors(g, order[i]) == 0)
			return order[i];
	return TW_NONE;
}

/* Finds the critical path. Returns the number of its tasks. */
static tw_task find_path(const struct tw_graph *g, const double *priority, tw_task begin, tw_task *path)
{
	int n_successors;
	tw_task n_path = 0, at = begin;
	while (at != TW_NONE) {
		const tw_task *successors = tw_graph_successors(g, at, &n_successors);
		path[n_path++] = at;
		at = n_successors ? successors[0] : (tw_task)TW_NONE;
		for (int i = 1; i < n_successors; i++)
			if (priority[successors[i]] > priority[at])
				at = successors[i];
	}
	return n_path;
}

/* Returns the time of the path's tasks on the worker; `least`: the least time of each task. */
static double time_on(const struct tw_sched *s, tw_worker w, const tw_task *path, const double *least, tw_task n)
{
	double sum = 0;
	for (tw_task i = 0; i < n; i++) {
		double length = tw_task_length(s, path[i], w);
		sum += isinf(length) ? least[i] : length;
	}
	return sum;
}

static double least_length(const struct tw_sched *s, const struct tw_worker_run *runs, int n_runs, tw_task t)
{
	double least = INFINITY;
	for (int i = 0; i < n_runs; i++)
		least = fmin(least, tw_task_length(s, t, runs[i].first));
	return isinf(least) ? 0 : least;
}

static tw_worker choose_worker(const struct tw_sched *s, const tw_task *path, tw_task n)
{
	int n_runs;
	const struct tw_worker_run *runs = tw_worker_runs(s, &n_runs);
	double *least = tw_alloc((size_t)n, sizeof *least), least_time = INFINITY;
	tw_worker best = TW_NONE;
	for (tw_task i = 0; i < n; i++)
		least[i] = least_length(s, runs, n_runs, path[i]);
	for (int i = 0; i < n_runs; i++) {
		double time = time_on(s, runs[i].first, path, least, n);
		if (time < least_time) {
			least_time = time;
			best = runs[i].first;
		}
	}
	free(least);
	return best;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	const struct tw_graph *g = tw_sched_graph(s);
	size_t n_tasks = (size_t)tw_graph_n_tasks(g);
	const double *priority = tw_path_lengths(s);
	tw_task *order = tw_rank_order(s, priority), *path = tw_run_alloc(s, n_tasks, sizeof *path);
	tw_worker *only = tw_run_alloc(s, n_tasks, sizeof *only);
	tw_task n_path = find_path(g, priority, path_begin(s, order), path);
	tw_worker worker = choose_worker(s, path, n_path);
	for (size_t t = 0; t < n_tasks; t++)
		only[t] = TW_NONE;
	for (tw_task i = 0; i < n_path; i++)
		if (!isinf(tw_task_length(s, path[i], worker)))
			only[path[i]] = worker;
	tw_planned_lists_make(state, s, order, &(struct tw_list_rules){.insertion = true, .only = only});
	return TW_OK;
}

const struct tw_policy tw_policy_cpop = {
	TW_PLANNED_LISTS_MEMBERS,
	.name = "cpop",
	.summary = "static: the critical path on one worker, other tasks where they end first (CPOP)",
	.init = init,
};
