#include "platform/weights.h"

#include <math.h>

double tw__weight_unit(const struct tw_platform *p, enum tw__link_shares shares)
{
	if (shares == TW__SHARES_EQUAL)
		return 0;
	double unit = INFINITY;
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++)
		if (p->routes[r].n_links)
			unit = fmin(unit, p->routes[r].latency);
	return isinf(unit) || unit < TW__LEAST_WEIGHED_S ? 0 : unit;
}
