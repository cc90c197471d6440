/* The order in which each resource takes types of tasks, and the set of fast resources. These are tables of
 * HeteroPrio for several resource types (affinity.h), for a run's types and resources (task_types.h). */
#ifndef TILEWRIGHT_TYPE_ORDERS_H
#define TILEWRIGHT_TYPE_ORDERS_H

#include "policies/support/affinity.h"
#include "policies/support/task_types.h"

/* The order of one resource: see tw_affinity_order. */
struct tw_type_order {
	bool fast;
	int n_types, *types, *group;
};

struct tw_type_orders {
	double *scores;           /* [type * n_resources + resource] */
	int *rows;                /* storage of the orders and groups */
	struct tw_type_order *of; /* [n_resources] */
};

/* Computes Area scores (`area`) or Het. Index scores. `within`: types whose scores differ by less form one group of a
 * fast resource. TW_NOMEM, or an error of tw_area_scores: call finish all the same. */
int tw_type_orders_init(struct tw_type_orders *, const struct tw_task_types *, const struct tw_sched *, bool area,
                        double within, struct tw_error *err);
void tw_type_orders_finish(struct tw_type_orders *);

#endif
