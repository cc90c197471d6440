/* Prints comparisons as tables, as CSV or as JSON. */
#ifndef TW__COMPARE_PRINT_H
#define TW__COMPARE_PRINT_H

#include <jansson.h>

#include "results/compare.h"

/* Prints the comparison of file b with the reference file a: each point, then a summary for each policy and for all
 * points. */
int print_comparison(const struct tw__comparison *, const struct tw__rows *a, const struct tw__rows *b,
                     const char *metric, struct tw_error *err);
/* Prints the points of a comparison as CSV. `columns`: names such as "ratio,error" choose the columns; NULL: all.
 * TW_INVALID: an unknown column, and nothing is printed. */
int print_comparison_csv(const struct tw__comparison *, const struct tw__rows *a, const char *metric,
                         const char *columns, struct tw_error *err);

/* Prints how many times faster policy `b` (side b) is than policy `a` (side a). Both sides come from one file. */
int print_speedups(const struct tw__comparison *, const struct tw__rows *, const char *a, const char *b,
                   struct tw_error *err);
/* Prints n comparisons of policies as CSV; the i-th compares policies[i + 1] with policies[0]. TW_INVALID: an unknown
 * column, and nothing is printed. */
int print_speedups_csv(const struct tw__comparison *, int n, const struct tw__rows *, char *const *policies,
                       const char *columns, struct tw_error *err);

/* The same as JSON, with the numbers that the text has around the points: see docs/reference/plots.md. TW_NOMEM.
 * TW_INVALID: an unknown column, and nothing is printed. */
int print_comparison_json(const struct tw__comparison *, const struct tw__rows *a, const struct tw__rows *b,
                          const char *metric, const char *columns, struct tw_error *err);
int print_speedups_json(const struct tw__comparison *, int n, const struct tw__rows *, char *const *policies,
                        const char *columns, struct tw_error *err);

/* compare_rows.c. The points of comparisons as an array of objects, which the caller owns. TW_NOMEM; TW_INVALID: an
 * unknown column. */
int comparison_points(const struct tw__comparison *, const struct tw__rows *a, const char *metric, const char *columns,
                      json_t **points, struct tw_error *err);
int speedup_points(const struct tw__comparison *, int n, const struct tw__rows *, char *const *policies,
                   const char *columns, json_t **points, struct tw_error *err);

#endif
