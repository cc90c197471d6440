/* Comparisons as tables for people, or as CSV. */
#ifndef TW__COMPARE_PRINT_H
#define TW__COMPARE_PRINT_H

#include "experiment/compare.h"

/* b.csv against a.csv: each point, each policy, all. */
int print_comparison(const struct tw__comparison *, const struct tw__rows *a, const struct tw__rows *b,
                     const char *metric, bool csv, struct tw_error *err);

/* The policy of side b against that of side a, of one file: speed-ups. */
int print_speedups(const struct tw__comparison *, const struct tw__rows *, const char *a, const char *b, bool csv,
                   bool header, struct tw_error *err);

#endif
