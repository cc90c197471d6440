/* A random choice by weight, for policies that draw. */
#ifndef TILEWRIGHT_WEIGHTED_H
#define TILEWRIGHT_WEIGHTED_H

/* Chooses an index with a probability proportional to its weight, if `number` is uniform in [0, 1). The index is the
 * one at the point `number` x (sum of all weights) when the weights are laid end to end. Weights are 0 (never chosen)
 * or more. Returns -1 if all are 0. */
int tw_weighted_choice(const double *weights, int n, double number);
/* The same for groups of equal weights: times[i] items have weights[i] each. The index counts all items. */
int tw_weighted_choice_of_runs(const double *weights, const int *times, int n, double number);

#endif
