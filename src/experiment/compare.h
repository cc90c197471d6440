/* Compares results: pairs the points that both sides have. See docs/reference/plots.md. */
#ifndef TW__COMPARE_H
#define TW__COMPARE_H

#include "experiment/points.h"

/* Rows of one side. Both sides can have the rows of one file, under two policies. */
struct tw__side {
	const struct tw__rows *rows;
	const char *policy; /* only rows of this policy; NULL: all */
};

struct tw__pair {
	int a, b; /* the first row of the point on each side */
	struct tw__stats of_a, of_b;
	double ratio; /* b's mean over a's */
	double error; /* ratio - 1 */
};

struct tw__comparison {
	struct tw__pair *pairs; /* in the order of a's rows */
	int n, only_a, only_b;  /* numbers of points; only_a, only_b: on one side only */
	int mixed;              /* points with rows on one side that differ in a column that is not joined on */
	char mixed_in[40];      /* the first such column */
	int unknown;            /* points on both sides without a value on one side, or with 0 as the reference */
	int columns[TW__MAX_POINT_COLUMNS][2], n_columns; /* joined on, indices in a and b */
	char left_out[200];   /* "engine, runtime": point columns that are not joined on; "" */
	int by_identity;      /* rows of a whose identity b has; 0: the column was not used */
	int rows_left_out[2]; /* rows of each side left out because the other side lacks their identity */
};

/* Pairs the points that both sides have. They are joined on all columns of tw__point_columns that both sides have,
 * except:
 * - those in `ignore`, which ends with NULL (NULL: none);
 * - engine, runtime, noise and belief_error, if the sides share no value of it: a simulation has another engine than a
 *   real run;
 * - gpu_mem_bytes, if the sides share no value of it and an earlier column was left out;
 * - eviction, if the sides share no value of it and policies are compared.
 * If both sides have the column "identity" and share some identities, only rows with a shared identity take part.
 * TW_INVALID: a value is no number, a column is missing, or no point is on both sides. */
int tw__compare(struct tw__comparison *, const struct tw__side *a, const struct tw__side *b, const char *metric,
                const char *const *ignore, struct tw_error *err);
void tw__comparison_finish(struct tw__comparison *);

/* Of the pairs' ratios and absolute errors. `worst`: of the pair with the greatest absolute error. */
struct tw__summary {
	int n;
	double ratio_mean, ratio_median, ratio_worst, error_mean, error_median, error_worst;
};
/* Summary of the pairs of one policy of a; NULL: of all. TW_NOMEM. */
int tw__comparison_summary(const struct tw__comparison *, const struct tw__rows *a, const char *policy,
                           struct tw__summary *, struct tw_error *err);

#endif
