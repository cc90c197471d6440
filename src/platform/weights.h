/* Weights of copies that share a link. Copies share it equally, or in proportion to 1/latency of their routes, as in
 * SimGrid's network models and StarPU's simulation. SimGrid derives the weight of a flow only from latencies. So for
 * weights, each route gets an additional link, with a latency as small as SimGrid's sums of doubles allow.
 *
 * Only weights of routes that share links matter. So their unit is the least latency of these routes, and no link
 * elsewhere changes a bit of their copies' rates. */
#ifndef TW__WEIGHTS_H
#define TW__WEIGHTS_H

#include "platform/platform.h"

#define TW__LEAST_WEIGHED_S 1e-6

struct tw__weights {
	/* [routes of the platform] the latency of weight 1, in seconds: the least one of the routes that share links
	 * with the route, directly or through others. If it is below TW__LEAST_WEIGHED_S, the unit is 0, and these
	 * routes have weight 1. NULL: all routes have weight 1. */
	double *unit;
};

/* Computes the units of all routes. They must list all links, even those that cannot limit a copy (bottlenecks.h). */
void tw__weights_init(struct tw__weights *, const struct tw__platform *, enum tw__link_shares);
void tw__weights_finish(struct tw__weights *);

/* Returns the weight of a copy on a route: its share of a link, relative to a copy of weight 1. `p`: the platform, or
 * the one of bottlenecks.h. */
static inline double tw__weight(const struct tw__weights *weights, const struct tw__platform *p,
                                const struct tw__route *route)
{
	const double unit = weights->unit ? weights->unit[route - p->routes] : 0;
	return unit > 0 ? unit / route->latency : 1;
}

/* Returns the latency, in seconds, of the additional link for weights, which is a part of the route's latency. 0: there
 * is no such link. */
static inline double tw__weight_latency(const struct tw__weights *weights, const struct tw__platform *p,
                                        const struct tw__route *route)
{
	const bool has_link = weights->unit && weights->unit[route - p->routes] > 0;
	return has_link ? TW__LEAST_WEIGHED_S / tw__weight(weights, p, route) : 0;
}

#endif
