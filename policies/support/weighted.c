#include "policies/support/weighted.h"

#include <stddef.h>

/* Adds and subtracts the weights of items one by one, so that results are rounded as if each item had an own weight. */
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
			last = at; /* the last item gets the rest that rounding leaves */
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
