/* The types of tasks and the resources of a run, and the order in which each resource takes types, for HeteroPrio with
 * several resource types (affinity.h). Types and resources are numbered from 0. The type of a task is its class: its
 * kernel, and what it can run on. The resource of a worker is its arch. */
#ifndef TILEWRIGHT_TYPE_ORDERS_H
#define TILEWRIGHT_TYPE_ORDERS_H

#include "policies/support/affinity.h"

/* The order in which one resource takes types of tasks, and their groups: see tw_affinity_order. */
struct tw_type_order {
	bool fast;
	int n_types, *types, *group;
};

struct tw_type_orders {
	int n_types, n_resources;
	int *type_of;             /* [classes] type of the tasks of each class; -1: the graph has no such task */
	int *resource_of;         /* [archs] resource of each arch; -1: the arch has no worker */
	double *scores;           /* [type * n_resources + resource] score of the type on the resource */
	struct tw_type_order *of; /* [n_resources] the order of each resource */
};

/* Numbers the types of the graph's tasks, in the order of submission, and the resources of the run's workers. Computes
 * the scores and the orders: Area scores with `area`, otherwise Het. Index scores. `within`: types whose scores differ
 * by less form one group of a fast resource. `by_worker`: see tw_fast_resources. Fails as tw_area_scores does. The
 * struct has memory of the run. */
int tw_type_orders_init(struct tw_type_orders *, const struct tw_sched *, bool area, double within, bool by_worker,
                        struct tw_error *err);

#endif
