/* What copies get of a link that they share: equal parts, or parts as 1/latency of their routes, as in SimGrid's own models of networks
 * and so in StarPU's simulation. SimGrid knows weights of flows only as its penalty for latency, so a route gets a link of its own
 * with a little: as little as keeps SimGrid's sums exact. */
#ifndef TW__WEIGHTS_H
#define TW__WEIGHTS_H

#include "platform/platform.h"

#define TW__LEAST_WEIGHED_S 1e-6

enum tw__link_shares { TW__SHARES_EQUAL, TW__SHARES_BY_LATENCY };

/* The latency of the routes with weight 1, the least of all; 0: all have weight 1, be it because some route has less than a microsecond
 * and there is nothing to tell weights by. */
double tw__weight_unit(const struct tw_platform *, enum tw__link_shares);

/* A flow on the route gets of each link so much for each unit that one of weight 1 gets. */
static inline double tw__weight(const struct tw__route *route, double unit)
{
	return unit > 0 ? unit / route->latency : 1;
}

/* The part of the route's latency, in seconds, that it has in SimGrid. */
static inline double tw__weight_latency(const struct tw__route *route, double unit)
{
	return unit > 0 ? TW__LEAST_WEIGHED_S / tw__weight(route, unit) : 0;
}

#endif
