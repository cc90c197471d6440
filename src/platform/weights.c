#include "platform/weights.h"

#include <math.h>
#include <stdlib.h>

/* Returns the root of a link's tree. Links in one tree are shared by routes that share links. */
static int root_of(int *parent, int link)
{
	while (parent[link] != link)
		link = parent[link] = parent[parent[link]];
	return link;
}

static bool is_shared(const struct tw__platform *p, int link) { return p->links[link].sharing == TW__SHARED; }

/* Returns the first shared link of a route; TW_NONE: there is none, so the route shares no link. */
static int first_shared(const struct tw__platform *p, const struct tw__route *route)
{
	for (int l = 0; l < route->n_links; l++)
		if (is_shared(p, route->links[l]))
			return route->links[l];
	return TW_NONE;
}

static void join_links(const struct tw__platform *p, const struct tw__route *route, int *parent)
{
	int first = first_shared(p, route);
	for (int l = 0; l < route->n_links; l++)
		if (is_shared(p, route->links[l]))
			parent[root_of(parent, route->links[l])] = root_of(parent, first);
}

void tw__weights_init(struct tw__weights *weights, const struct tw__platform *p, enum tw__link_shares shares)
{
	const int n_routes = p->n_nodes * p->n_nodes;
	*weights = (struct tw__weights){0};
	if (shares == TW__SHARES_EQUAL)
		return;
	weights->unit = tw_alloc((size_t)n_routes, sizeof *weights->unit);
	bool any = false;
	int *parent = tw_alloc((size_t)p->n_links, sizeof *parent);
	double *least = tw_alloc((size_t)p->n_links, sizeof *least);
	for (int l = 0; l < p->n_links; l++) {
		parent[l] = l;
		least[l] = INFINITY;
	}
	for (int r = 0; r < n_routes; r++)
		join_links(p, &p->routes[r], parent);
	for (int r = 0; r < n_routes; r++) {
		int first = first_shared(p, &p->routes[r]);
		double *unit = first == TW_NONE ? NULL : &least[root_of(parent, first)];
		if (unit)
			*unit = fmin(*unit, p->routes[r].latency);
	}
	for (int r = 0; r < n_routes; r++) {
		int first = first_shared(p, &p->routes[r]);
		double unit = !p->routes[r].n_links ? 0
		              : first == TW_NONE    ? p->routes[r].latency
		                                    : least[root_of(parent, first)];
		weights->unit[r] = unit < TW__LEAST_WEIGHED_S ? 0 : unit;
		any = any || weights->unit[r] > 0;
	}
	if (!any)
		tw__weights_finish(weights);
	free(parent);
	free(least);
}

void tw__weights_finish(struct tw__weights *weights)
{
	free(weights->unit);
	*weights = (struct tw__weights){0};
}
