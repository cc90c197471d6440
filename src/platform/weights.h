/* How copies share a link: equally, or in proportion to 1/latency of their routes. SimGrid's own network models do
 * the latter, and so does StarPU's simulation. SimGrid derives weights of flows only from latencies. So each route
 * gets an additional link with a latency that is as small as SimGrid's sums of doubles allow. */
#ifndef TW__WEIGHTS_H
#define TW__WEIGHTS_H

#include "platform/platform.h"

#define TW__LEAST_WEIGHED_S 1e-6

enum tw__link_shares { TW__SHARES_EQUAL, TW__SHARES_BY_LATENCY };

/* The least latency of all routes, which then have weight 1. 0: all routes have weight 1. This is also the case if a
 * latency is below a microsecond, because then weights cannot be computed. */
double tw__weight_unit(const struct tw_platform *, enum tw__link_shares);

/* The weight of a flow on the route: its share of a link, relative to a flow of weight 1. */
static inline double tw__weight(const struct tw__route *route, double unit)
{
	return unit > 0 ? unit / route->latency : 1;
}

/* The part of the route's latency, in seconds, that SimGrid gets. */
static inline double tw__weight_latency(const struct tw__route *route, double unit)
{
	return unit > 0 ? TW__LEAST_WEIGHED_S / tw__weight(route, unit) : 0;
}

#endif
