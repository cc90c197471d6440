/* Computes the rates of copies on routes that share links, by max-min fairness, as in simulations. */
#include "calibrate/buses.h"

#include <math.h>

/* Returns the bandwidth that a shared link leaves for each of its routes without a rate yet, in equal shares. INFINITY:
 * all its routes have a rate. */
static double level_of(const struct tw__bus_shared *shared, int n_ways, const bool *set, const double *rates)
{
	double left = shared->bandwidth;
	int n = 0;
	for (int w = 0; w < n_ways; w++) {
		if (!set[w] || !shared->has[w])
			continue;
		n += rates[w] < 0;
		left -= fmax(rates[w], 0);
	}
	return n ? fmax(left, 0) / n : INFINITY;
}

/* Finds the tightest limit: a route's own bandwidth, or its share of a shared link. Sets the rate of all routes that
 * this limit binds. False: all routes already have a rate. */
static bool bind_tightest(const struct tw__buses *b, const bool *set, double *rates)
{
	const struct tw__bus_shared *tightest = NULL;
	double least = INFINITY;
	int alone = -1;
	for (int w = 0; w < b->n_ways; w++)
		if (set[w] && rates[w] < 0 && b->ways[w].line.bandwidth < least) {
			least = b->ways[w].line.bandwidth;
			alone = w;
		}
	for (int i = 0; i < b->n_shared; i++) {
		double level = level_of(&b->shared[i], b->n_ways, set, rates);
		if (level < least) {
			least = level;
			tightest = &b->shared[i];
		}
	}
	for (int w = 0; tightest && w < b->n_ways; w++)
		if (set[w] && rates[w] < 0 && tightest->has[w])
			rates[w] = least;
	if (!tightest && alone >= 0)
		rates[alone] = least;
	return tightest || alone >= 0;
}

void tw__buses_rates(const struct tw__buses *b, const bool *set, double *rates)
{
	for (int w = 0; w < b->n_ways; w++)
		rates[w] = set[w] ? -1 : 0;
	while (bind_tightest(b, set, rates))
		;
}

double tw__buses_total(const struct tw__buses *b, const bool *set, double *rates)
{
	double total = 0;
	tw__buses_rates(b, set, rates);
	for (int w = 0; w < b->n_ways; w++)
		total += rates[w];
	return total;
}
