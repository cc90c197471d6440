/* Results against results: points that both sides have, side by side. See docs/reference/plots.md. */
#ifndef TW__COMPARE_H
#define TW__COMPARE_H

#include "experiment/points.h"

/* Rows of one side. Those of one file can be on both, under two policies. */
struct tw__side {
	const struct tw__rows *rows;
	const char *policy; /* rows of that one alone; NULL: all */
};

struct tw__pair {
	int a, b; /* the first row of the point on each side */
	struct tw__stats of_a, of_b;
	double ratio; /* b's mean over a's */
	double error; /* ratio - 1 */
};

struct tw__comparison {
	struct tw__pair *pairs; /* in the order of a's rows */
	int n, only_a, only_b;  /* points; the last two: of one side alone */
	int mixed;              /* points of which a side has rows that differ in a column that was not joined on */
	char mixed_in[40];      /* the first such column */
	int unknown;            /* points that both have, without a value on one side, or with 0 as the reference */
	int columns[TW__MAX_POINT_COLUMNS][2], n_columns; /* joined on, of a and b */
	char left_out[200];   /* "engine, runtime": columns that name a point, but were not joined on; "" */
	int by_identity;      /* rows of a whose identity b has; 0: the column was not used */
	int rows_left_out[2]; /* rows of each side whose identity the other has not, if it was used */
};

/* Points are joined on the columns that name them (tw__point_columns) and that both sides have, but `ignore` (NULL at its end; NULL:
 * none) and those of engine, runtime, noise, belief_error in which the sides have no value in common: a simulation has another engine
 * than a real run; the same of gpu_mem_bytes if one of these was left out, and of eviction where policies are compared. If both have the column "identity", and have some in common, rows take
 * part that both have. TW_INVALID if a value is no number, a column is missing, or there is no point that both have. */
int tw__compare(struct tw__comparison *, const struct tw__side *a, const struct tw__side *b, const char *metric,
                const char *const *ignore, struct tw_error *err);
void tw__comparison_finish(struct tw__comparison *);

/* Of the pairs' ratios and of the errors' sizes; `worst`: that of the greatest error. */
struct tw__summary {
	int n;
	double ratio_mean, ratio_median, ratio_worst, error_mean, error_median, error_worst;
};
/* Pairs under that policy of a; NULL: all. TW_NOMEM. */
int tw__comparison_summary(const struct tw__comparison *, const struct tw__rows *a, const char *policy,
                           struct tw__summary *, struct tw_error *err);

#endif
