#include "policies/support/weighted.h"

#include <stddef.h>

/* Sums and differences are taken one by one: they are rounded as without runs. */
int tw_weighted_choice_of_runs(const double *weights, const int *times, int n, double number)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < (times ? times[i] : 1); k++)
			sum += weights[i];
	double left = number * sum;
	int last = -1;
	for (int i = 0, first = 0; i < n; i++) {
		int end = first + (times ? times[i] : 1);
		for (int at = first; at < end && weights[i] > 0; at++) {
			last = at; /* differences are rounded: the last one takes what should not be left */
			if (left < weights[i])
				return last;
			left -= weights[i];
		}
		first = end;
	}
	return last;
}

int tw_weighted_choice(const double *weights, int n, double number)
{
	return tw_weighted_choice_of_runs(weights, NULL, n, number);
}
