#include "policies/support/type_orders.h"

/* Numbers the types and the resources. Fills first[] with the first worker of each resource. */
static void number(struct tw_type_orders *o, const struct tw_sched *s, tw_worker *first)
{
	for (int c = 0; c < tw_n_task_classes(s); c++)
		o->type_of[c] = -1;
	for (tw_task task = 0; task < tw_graph_n_tasks(tw_sched_graph(s)); task++)
		if (tw_task_is_mine(s, task) && o->type_of[tw_task_class(s, task)] < 0)
			o->type_of[tw_task_class(s, task)] = o->n_types++;
	for (tw_arch a = 0; a < tw_n_archs(s); a++)
		o->resource_of[a] = -1;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (o->resource_of[tw_worker_arch(s, w)] < 0) {
			o->resource_of[tw_worker_arch(s, w)] = o->n_resources;
			first[o->n_resources++] = w;
		}
}

/* Fills the three tables of struct tw_affinity. */
static void measure(const struct tw_type_orders *o, const struct tw_sched *s, const tw_worker *first, double *seconds,
                    double *tasks, double *workers)
{
	for (tw_task task = 0; task < tw_graph_n_tasks(tw_sched_graph(s)); task++) {
		int type = o->type_of[tw_task_class(s, task)];
		if (!tw_task_is_mine(s, task))
			continue;
		tasks[type]++;
		for (int r = 0; r < o->n_resources; r++)
			seconds[type * o->n_resources + r] += tw_task_length(s, task, first[r]);
	}
	for (int i = 0; i < o->n_types * o->n_resources; i++)
		seconds[i] /= tasks[i / o->n_resources];
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		workers[o->resource_of[tw_worker_arch(s, w)]]++;
}

int tw_type_orders_init(struct tw_type_orders *o, const struct tw_sched *s, bool area, double within, bool by_worker,
                        struct tw_error *err)
{
	size_t archs = (size_t)tw_n_archs(s);
	tw_worker *first = tw_run_alloc(s, archs, sizeof *first);
	*o = (struct tw_type_orders){
		.type_of = tw_run_alloc(s, (size_t)tw_n_task_classes(s), sizeof *o->type_of),
		.resource_of = tw_run_alloc(s, archs, sizeof *o->resource_of),
	};
	number(o, s, first);
	size_t types = (size_t)o->n_types, resources = (size_t)o->n_resources, all = types * resources;
	double *seconds = tw_run_alloc(s, all, sizeof *seconds), *tasks = tw_run_alloc(s, types, sizeof *tasks);
	double *workers = tw_run_alloc(s, resources, sizeof *workers);
	measure(o, s, first, seconds, tasks, workers);

	const struct tw_affinity a = {o->n_types, o->n_resources, seconds, tasks, workers};
	bool *fast = tw_run_alloc(s, resources, sizeof *fast);
	int *rows = tw_run_alloc(s, 2 * all, sizeof *rows), status = TW_OK;
	o->scores = tw_run_alloc(s, all, sizeof *o->scores);
	o->of = tw_run_alloc(s, resources, sizeof *o->of);
	if (area)
		status = tw_area_scores(o->scores, &a, err);
	else
		tw_het_index_scores(o->scores, &a);
	tw_fast_resources(fast, &a, by_worker);
	for (int r = 0; r < o->n_resources; r++) {
		struct tw_type_order *order = &o->of[r];
		order->fast = fast[r];
		order->types = rows + 2 * r * o->n_types;
		order->group = order->types + o->n_types;
		order->n_types = tw_affinity_order(order->types, order->group, o->scores, &a, r, fast[r] ? within : 0,
		                                   area ? TW_SCALE_PARTS : TW_SCALE_FREE);
	}
	return status;
}
