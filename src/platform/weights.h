/* Weights of copies that share a link. Copies share it equally, or in proportion to 1/latency of their routes, as in
 * SimGrid's network models and StarPU's simulation. SimGrid derives the weight of a flow only from latencies. So for
 * weights, each route gets an additional link, with a latency as small as SimGrid's sums of doubles allow. */
#ifndef TW__WEIGHTS_H
#define TW__WEIGHTS_H

#include "platform/platform.h"

#define TW__LEAST_WEIGHED_S 1e-6

enum tw__link_shares { TW__SHARES_EQUAL, TW__SHARES_BY_LATENCY };

/* Returns the least latency of all routes, in seconds; a route of this latency has weight 1. Returns 0 if all routes
 * have weight 1. This is also the case if a latency is below a microsecond, because then weights cannot be computed. */
double tw__weight_unit(const struct tw_platform *, enum tw__link_shares);

/* Returns the weight of a flow on the route: its share of a link, relative to a flow of weight 1. `unit`: from
 * tw__weight_unit. */
static inline double tw__weight(const struct tw__route *route, double unit)
{
	return unit > 0 ? unit / route->latency : 1;
}

/* Returns the latency, in seconds, of the additional link for weights, which is a part of the route's latency. 0: there
 * is no such link. */
static inline double tw__weight_latency(const struct tw__route *route, double unit)
{
	return unit > 0 ? TW__LEAST_WEIGHED_S / tw__weight(route, unit) : 0;
}

#endif
