/* Comparisons as tables for people, or as CSV. */
#ifndef TW__COMPARE_PRINT_H
#define TW__COMPARE_PRINT_H

#include "experiment/compare.h"

/* b.csv against a.csv: each point, each policy, all. */
int print_comparison(const struct tw__comparison *, const struct tw__rows *a, const struct tw__rows *b,
                     const char *metric, struct tw_error *err);
/* Its points. `columns`: "ratio,error" for these alone, NULL for all. TW_INVALID, and nothing is printed: a column is not there. */
int print_comparison_csv(const struct tw__comparison *, const struct tw__rows *a, const char *metric,
                         const char *columns, struct tw_error *err);

/* The policy of side b against that of side a, of one file: speed-ups. */
int print_speedups(const struct tw__comparison *, const struct tw__rows *, const char *a, const char *b,
                   struct tw_error *err);
/* All n comparisons, the i-th of policies[i + 1] against policies[0]. Errors as above. */
int print_speedups_csv(const struct tw__comparison *, int n, const struct tw__rows *, char *const *policies,
                       const char *columns, struct tw_error *err);

#endif
