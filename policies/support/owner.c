#include <tilewright/owner.h>

/* The first data that is written, else the first. 0: the task has none. */
static tw_data owned_data(const struct tw_sched *s, tw_task task)
{
	int n = tw_task_n_accesses(s, task);
	for (int i = 0; i < n; i++)
		if (tw_task_access(s, task, i).mode & TW_W)
			return tw_task_access(s, task, i).data;
	return n ? tw_task_access(s, task, 0).data : 0;
}

tw_worker tw_owner(const struct tw_sched *s, tw_task task)
{
	tw_worker n_workers = tw_n_workers(s), n_fastest = 0;
	double least = tw_task_length(s, task, 0);
	for (tw_worker w = 1; w < n_workers; w++)
		least = tw_task_length(s, task, w) < least ? tw_task_length(s, task, w) : least;
	for (tw_worker w = 0; w < n_workers; w++)
		n_fastest += tw_task_length(s, task, w) <= least;
	int64_t n_data = tw_graph_n_data(tw_sched_graph(s)), part = 0;
	if (n_data > 0)
		part = (int64_t)owned_data(s, task) * n_fastest / n_data;
	for (tw_worker w = 0; w < n_workers; w++)
		if (tw_task_length(s, task, w) <= least && part-- == 0)
			return w;
	return 0;
}
