/* One of several, by weight: a help for policies that draw. */
#ifndef TILEWRIGHT_WEIGHTED_H
#define TILEWRIGHT_WEIGHTED_H

/* The index whose part of the line from 0 to the sum of all weights holds `number` times that sum: 0 <= number < 1 makes each
 * as likely as its weight is great. Weights are 0 (never chosen) or more; -1: all are 0. */
int tw_weighted_choice(const double *weights, int n, double number);
/* The same among runs of things that weigh the same: times[i] of them weigh weights[i]. The index counts all. */
int tw_weighted_choice_of_runs(const double *weights, const int *times, int n, double number);

#endif
