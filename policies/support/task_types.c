#include "policies/support/task_types.h"

void tw_task_types_init(struct tw_task_types *t, const struct tw_sched *s)
{
	const struct tw_graph *g = tw_sched_graph(s);
	size_t classes = (size_t)tw_n_task_classes(s), archs = (size_t)tw_n_archs(s);
	*t = (struct tw_task_types){
		.type = tw_run_alloc(s, classes, sizeof *t->type),
		.resource_of = tw_run_alloc(s, archs, sizeof *t->resource_of),
		.first = tw_run_alloc(s, archs, sizeof *t->first),
		.n_tasks = tw_graph_n_tasks(g),
	};
	for (size_t c = 0; c < classes; c++)
		t->type[c] = -1;
	for (tw_task task = 0; task < t->n_tasks; task++)
		if (t->type[tw_task_class(s, task)] < 0)
			t->type[tw_task_class(s, task)] = t->n++;
	for (size_t a = 0; a < archs; a++)
		t->resource_of[a] = -1;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (t->resource_of[tw_worker_arch(s, w)] < 0) {
			t->resource_of[tw_worker_arch(s, w)] = t->n_resources;
			t->first[t->n_resources++] = w;
		}
}

void tw_task_types_measure(const struct tw_task_types *t, const struct tw_sched *s, double *seconds, double *tasks,
                           double *workers)
{
	for (tw_task task = 0; task < t->n_tasks; task++) {
		int type = t->type[tw_task_class(s, task)];
		tasks[type]++;
		for (int r = 0; r < t->n_resources; r++)
			seconds[type * t->n_resources + r] += tw_task_length(s, task, t->first[r]);
	}
	for (int i = 0; i < t->n * t->n_resources; i++)
		seconds[i] /= tasks[i / t->n_resources];
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		workers[t->resource_of[tw_worker_arch(s, w)]]++;
}
