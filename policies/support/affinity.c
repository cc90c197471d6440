#include "policies/support/affinity.h"

#include <math.h>

static double seconds(const struct tw_affinity *a, int type, int resource)
{
	return a->seconds[type * a->n_resources + resource];
}

void tw_het_index_scores(double *scores, const struct tw_affinity *a)
{
	for (int t = 0; t < a->n_types; t++) {
		double least = INFINITY, most = 0;
		for (int r = 0; r < a->n_resources; r++) {
			least = fmin(least, seconds(a, t, r));
			if (!isinf(seconds(a, t, r)))
				most = fmax(most, seconds(a, t, r));
		}
		for (int r = 0; r < a->n_resources; r++) {
			double here = seconds(a, t, r);
			scores[t * a->n_resources + r] = isinf(here) ? 0 : most / here * (least / here);
		}
	}
}

void tw_fast_resources(bool *fast, const struct tw_affinity *a, bool by_worker)
{
	double sum = 0, weights = 0;
	int n_fast = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int r = 0; r < a->n_resources; r++) {
			double logarithms = 0;
			int n = 0;
			for (int t = 0; t < a->n_types; t++)
				if (!isinf(seconds(a, t, r))) {
					logarithms += log(seconds(a, t, r));
					n++;
				}
			double mean = n ? exp(logarithms / n) : 0;
			if (pass == 0 && n) {
				const double weight = by_worker ? a->workers[r] : 1;
				sum += mean * weight;
				weights += weight;
			} else if (pass == 1) {
				/* The factor below 1 hides rounding errors: without it, one of equal resources could
				 * seem fast. */
				fast[r] = n && mean < sum / weights * (1 - 1e-9);
				n_fast += fast[r];
			}
		}
	for (int r = 0; r < a->n_resources; r++)
		fast[r] |= n_fast == 0;
}

int tw_affinity_order(int *order, int *group, const double *scores, const struct tw_affinity *a, int resource,
                      double within, enum tw_score_scale scale)
{
	int n = 0;
	/* An insertion sort is enough: types are few, and the order is computed once. */
	for (int t = 0; t < a->n_types; t++) {
		if (isinf(seconds(a, t, resource)))
			continue;
		int place = n++;
		for (; place > 0; place--) {
			if (scores[order[place - 1] * a->n_resources + resource] >=
			    scores[t * a->n_resources + resource])
				break;
			order[place] = order[place - 1];
		}
		order[place] = t;
	}
	double highest = 0;
	for (int i = 0, g = -1; i < n; i++) {
		double score = scores[order[i] * a->n_resources + resource];
		if (g < 0 || (score < highest && highest - score >= within * (scale == TW_SCALE_FREE ? highest : 1))) {
			highest = score;
			g++;
		}
		group[i] = g;
	}
	return n;
}
