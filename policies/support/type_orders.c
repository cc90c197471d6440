#include "policies/support/type_orders.h"

#include <stdlib.h>

static int fill(struct tw_type_orders *o, const struct tw_affinity *a, bool *fast, bool area, double within,
                struct tw_error *err)
{
	int status = TW_OK;
	if (area)
		status = tw_area_scores(o->scores, a, err);
	else
		tw_het_index_scores(o->scores, a);
	tw_fast_resources(fast, a);
	for (int r = 0; r < a->n_resources; r++) {
		struct tw_type_order *order = &o->of[r];
		order->fast = fast[r];
		order->types = o->rows + 2 * r * a->n_types;
		order->group = order->types + a->n_types;
		order->n_types = tw_affinity_order(order->types, order->group, o->scores, a, r, fast[r] ? within : 0,
		                                   area ? TW_SCALE_PARTS : TW_SCALE_FREE);
	}
	return status;
}

int tw_type_orders_init(struct tw_type_orders *o, const struct tw_task_types *t, const struct tw_sched *s, bool area,
                        double within, struct tw_error *err)
{
	size_t types = (size_t)t->n, resources = (size_t)t->n_resources, all = types * resources;
	double *seconds = calloc(all + types + resources + 1, sizeof *seconds), *tasks, *workers;
	bool *fast = calloc(resources, sizeof *fast);
	*o = (struct tw_type_orders){
		.scores = calloc(all + 1, sizeof *o->scores),
		.rows = calloc(2 * all + 1, sizeof *o->rows),
		.of = calloc(resources, sizeof *o->of),
	};
	int status = seconds && fast && o->scores && o->rows && o->of ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory");
	if (status == TW_OK) {
		tasks = seconds + all;
		workers = tasks + types;
		tw_task_types_measure(t, s, seconds, tasks, workers);
		const struct tw_affinity a = {t->n, t->n_resources, seconds, tasks, workers};
		status = fill(o, &a, fast, area, within, err);
	}
	free(seconds);
	free(fast);
	return status;
}

void tw_type_orders_finish(struct tw_type_orders *o)
{
	free(o->scores);
	free(o->rows);
	free(o->of);
}
