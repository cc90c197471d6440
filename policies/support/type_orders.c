#include "policies/support/type_orders.h"

int tw_type_orders_init(struct tw_type_orders *o, const struct tw_task_types *t, const struct tw_sched *s, bool area,
                        double within, struct tw_error *err)
{
	size_t types = (size_t)t->n, resources = (size_t)t->n_resources, all = types * resources;
	double *seconds = tw_run_alloc(s, all, sizeof *seconds), *tasks = tw_run_alloc(s, types, sizeof *tasks);
	double *workers = tw_run_alloc(s, resources, sizeof *workers);
	const struct tw_affinity a = {t->n, t->n_resources, seconds, tasks, workers};
	bool *fast = tw_run_alloc(s, resources, sizeof *fast);
	int *rows = tw_run_alloc(s, 2 * all, sizeof *rows); /* the members `types` and `group` of all resources */
	*o = (struct tw_type_orders){
		.scores = tw_run_alloc(s, all, sizeof *o->scores),
		.of = tw_run_alloc(s, resources, sizeof *o->of),
	};
	tw_task_types_measure(t, s, seconds, tasks, workers);
	int status = TW_OK;
	if (area)
		status = tw_area_scores(o->scores, &a, err);
	else
		tw_het_index_scores(o->scores, &a);
	tw_fast_resources(fast, &a);
	for (int r = 0; r < a.n_resources; r++) {
		struct tw_type_order *order = &o->of[r];
		order->fast = fast[r];
		order->types = rows + 2 * r * a.n_types;
		order->group = order->types + a.n_types;
		order->n_types = tw_affinity_order(order->types, order->group, o->scores, &a, r, fast[r] ? within : 0,
		                                   area ? TW_SCALE_PARTS : TW_SCALE_FREE);
	}
	return status;
}
