#include "platform/weights.h"

#include <math.h>
#include <stdlib.h>

void tw__weights_init(struct tw__weights *weights, const struct tw__platform *p, enum tw__link_shares shares)
{
	const int n_routes = p->n_nodes * p->n_nodes;
	*weights = (struct tw__weights){0};
	if (shares == TW__SHARES_EQUAL)
		return;
	weights->unit = tw_alloc((size_t)n_routes, sizeof *weights->unit);
	bool any = false;
	int *groups = tw__link_groups(p);
	double *least = tw_alloc((size_t)p->n_links, sizeof *least);
	for (int l = 0; l < p->n_links; l++)
		least[l] = INFINITY;
	for (int r = 0; r < n_routes; r++) {
		int first = tw__first_shared(p, &p->routes[r]);
		double *unit = first == TW_NONE ? NULL : &least[groups[first]];
		if (unit)
			*unit = fmin(*unit, p->routes[r].latency);
	}
	for (int r = 0; r < n_routes; r++) {
		int first = tw__first_shared(p, &p->routes[r]);
		double unit = !p->routes[r].n_links ? 0
		              : first == TW_NONE    ? p->routes[r].latency
		                                    : least[groups[first]];
		weights->unit[r] = unit < TW__LEAST_WEIGHED_S ? 0 : unit;
		any = any || weights->unit[r] > 0;
	}
	if (!any)
		tw__weights_finish(weights);
	free(groups);
	free(least);
}

void tw__weights_finish(struct tw__weights *weights)
{
	free(weights->unit);
	*weights = (struct tw__weights){0};
}
