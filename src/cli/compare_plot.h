/* Draws comparisons as scatter plots. */
#ifndef TW__COMPARE_PLOT_H
#define TW__COMPARE_PLOT_H

#include "results/compare.h"

/* The points of file b over those of file a; each policy has its colour. Errors are those of tw__plot_scatter. */
int plot_comparison(const struct tw__comparison *, const struct tw__rows *a, const struct tw__rows *b,
                    const char *metric, const char *output, struct tw_error *err);
/* Makespans under policies[1..n] over those under policies[0]; the i-th comparison is of policies[i + 1]. */
int plot_speedups(const struct tw__comparison *, int n, char *const *policies, const char *output,
                  struct tw_error *err);

#endif
