/* Comparisons as tables or as CSV. */
#ifndef TW__COMPARE_PRINT_H
#define TW__COMPARE_PRINT_H

#include "experiment/compare.h"

/* Prints b.csv against a.csv: each point, each policy, all points together. */
int print_comparison(const struct tw__comparison *, const struct tw__rows *a, const struct tw__rows *b,
                     const char *metric, struct tw_error *err);
/* Prints the points as CSV. `columns`: "ratio,error" for these alone, NULL for all. An unknown column is TW_INVALID,
 * and nothing is printed. */
int print_comparison_csv(const struct tw__comparison *, const struct tw__rows *a, const char *metric,
                         const char *columns, struct tw_error *err);

/* Prints the speed-ups of policy `b` (side b) over policy `a` (side a), both from one file. */
int print_speedups(const struct tw__comparison *, const struct tw__rows *, const char *a, const char *b,
                   struct tw_error *err);
/* Prints all n comparisons as CSV; the i-th is of policies[i + 1] against policies[0]. Errors as above. */
int print_speedups_csv(const struct tw__comparison *, int n, const struct tw__rows *, char *const *policies,
                       const char *columns, struct tw_error *err);

#endif
