/* Rates of ways that share links: max-min fairness, as in simulations. */
#include "calibrate/buses.h"

#include <math.h>

/* The equal share of a shared link for its ways without a rate yet. INFINITY: it has none. */
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

/* Sets the rate of the ways that the tightest limit binds. False: all ways have a rate. */
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
