/* The order in which each resource takes types of tasks, and the set of fast resources. HeteroPrio with several
 * resource types uses these tables (affinity.h), for the types and resources of a run (task_types.h). */
#ifndef TILEWRIGHT_TYPE_ORDERS_H
#define TILEWRIGHT_TYPE_ORDERS_H

#include "policies/support/affinity.h"
#include "policies/support/task_types.h"

/* The order in which one resource takes types of tasks, and their groups: see tw_affinity_order. */
struct tw_type_order {
	bool fast;
	int n_types, *types, *group;
};

struct tw_type_orders {
	double *scores;           /* [type * n_resources + resource] score of the type on the resource */
	struct tw_type_order *of; /* [n_resources] the order of each resource */
};

/* Computes the scores and the orders: Area scores with `area`, otherwise Het. Index scores. `within`: types whose
 * scores differ by less form one group of a fast resource. Fails as tw_area_scores does. The struct has memory of the
 * run. */
int tw_type_orders_init(struct tw_type_orders *, const struct tw_task_types *, const struct tw_sched *, bool area,
                        double within, struct tw_error *err);

#endif
