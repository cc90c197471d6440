#include <tilewright/weighted.h>

int tw_weighted_choice(const double *weights, int n, double number)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += weights[i];
	double left = number * sum;
	int last = -1;
	for (int i = 0; i < n; i++) {
		if (weights[i] <= 0)
			continue;
		last = i; /* differences are rounded: the last one takes what should not be left */
		if (left < weights[i])
			break;
		left -= weights[i];
	}
	return last;
}
