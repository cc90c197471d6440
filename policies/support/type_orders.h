/* In which order each resource takes types of tasks, and which resources are fast: tables of HeteroPrio for several resources
 * (affinity.h), of a run's types and workers (task_types.h). */
#ifndef TILEWRIGHT_TYPE_ORDERS_H
#define TILEWRIGHT_TYPE_ORDERS_H

#include "policies/support/affinity.h"
#include "policies/support/task_types.h"

/* One resource's: see tw_affinity_order. */
struct tw_type_order {
	bool fast;
	int n_types, *types, *group;
};

struct tw_type_orders {
	double *scores;           /* [type * n_resources + resource] */
	int *rows;                /* where orders and groups stand */
	struct tw_type_order *of; /* [n_resources] */
};

/* Scores are Area or Het. Index. `within`: types whose scores differ by less are one group of a fast resource. TW_NOMEM, or
 * tw_area_scores' errors: finish it all the same. */
int tw_type_orders_init(struct tw_type_orders *, const struct tw_task_types *, const struct tw_sched *, bool area,
                        double within, struct tw_error *err);
void tw_type_orders_finish(struct tw_type_orders *);

#endif
