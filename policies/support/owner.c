#include "policies/support/owner.h"

#include <math.h>

/* Returns the handle whose owner runs the task: the first handle that the task writes. If the task writes none, the
 * first handle that it accesses; if it accesses none, handle 0. */
static tw_data owned_data(const struct tw_sched *s, tw_task task)
{
	int n = tw_task_n_accesses(s, task);
	for (int i = 0; i < n; i++)
		if (tw_task_access(s, task, i).mode & TW_W)
			return tw_task_access(s, task, i).data;
	return n ? tw_task_access(s, task, 0).data : 0;
}

/* Whether the worker may own handles for this task. It must be able to run the task, and be an accelerator if `fastest`
 * is one, else a processor. */
static bool shares(const struct tw_sched *s, tw_task task, tw_worker worker, tw_worker fastest)
{
	return tw_worker_is_accelerator(s, worker) == tw_worker_is_accelerator(s, fastest) &&
	       !isinf(tw_task_length(s, task, worker));
}

tw_worker tw_owner(const struct tw_sched *s, const struct tw_worker_run *runs, int n_runs, tw_task task)
{
	tw_worker n_parts = 0;
	tw_data data = owned_data(s, task), n_data = tw_first_accumulator(s);
	for (tw_worker w = 0; n_data > 0 && data >= n_data && w < tw_n_workers(s); w++)
		if (tw_accumulator(s, tw_accumulated(s, data), w) == data && !isinf(tw_task_length(s, task, w)))
			return w;
	tw_worker fastest = 0;
	for (int i = 0; i < n_runs; i++)
		if (tw_task_length(s, task, runs[i].first) < tw_task_length(s, task, fastest))
			fastest = runs[i].first;
	for (int i = 0; i < n_runs; i++)
		n_parts += shares(s, task, runs[i].first, fastest) ? runs[i].n : 0;
	int64_t part = data < n_data ? (int64_t)data * n_parts / n_data : 0;
	for (int i = 0; i < n_runs; i++) {
		if (!shares(s, task, runs[i].first, fastest))
			continue;
		if (part < runs[i].n)
			return runs[i].first + (tw_worker)part;
		part -= runs[i].n;
	}
	return 0;
}
