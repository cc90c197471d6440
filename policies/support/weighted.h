/* Random choices by weight, for policies that draw workers. */
#ifndef TILEWRIGHT_WEIGHTED_H
#define TILEWRIGHT_WEIGHTED_H

/* Returns an index with a probability proportional to its weight, if `number` is uniform in [0, 1). The weights are
 * laid end to end; the index is the one at the point `number` x (sum of all weights). Weights are 0 (never chosen) or
 * more. Returns -1 if all weights are 0. */
int tw_weighted_choice(const double *weights, int n, double number);
/* Returns an item with a probability proportional to its weight, for n groups of items with equal weights. Group i has
 * times[i] items of weights[i] each. Items are numbered from 0 across all groups. Returns -1 if all weights are 0. */
int tw_weighted_choice_of_runs(const double *weights, const int *times, int n, double number);

#endif
