/* Compares two sides, each a set of rows of results. Rows that differ only in seed are one point; points on both sides
 * are paired. See docs/reference/plots.md. */
#ifndef TW__COMPARE_H
#define TW__COMPARE_H

#include "results/points.h"

/* One side of a comparison. Both sides can have the rows of one file, under two policies. */
struct tw__side {
	const struct tw__rows *rows;
	const char *policy; /* only rows with this policy take part; NULL: all rows */
};

struct tw__pair {
	int a, b; /* index of the point's first row, on side a and on side b */
	struct tw__stats of_a, of_b;
	double ratio; /* mean of side b over mean of side a */
	double error; /* ratio - 1 */
};

struct tw__comparison {
	struct tw__pair *pairs; /* in the order of the rows of side a */
	double *values;         /* room for two values of each pair */
	int n, only_a, only_b;  /* n pairs; only_a, only_b: numbers of points that only side a or only side b has */
	int mixed;              /* number of points whose rows on one side differ in a column that is not joined on */
	char mixed_in[40];      /* the first column that rows of a mixed point differ in */
	/* Number of points on both sides without a ratio: a value is missing, or the mean of side a is 0. */
	int unknown;
	/* Columns that points are joined on: their indices on side a and side b. */
	int columns[TW__MAX_POINT_COLUMNS][2], n_columns;
	/* Names of columns that identify points, but that are not joined on, as in "engine, runtime"; "": none. */
	char left_out[400];
	int by_identity; /* number of rows of side a whose identity side b has; 0: identities were not used */
	/* [side] numbers of rows that are left out because no row of the other side has their identity */
	int rows_left_out[2];
};

/* Pairs the points that both sides have. `metric`: the column whose means are compared. Points are joined on all
 * columns that identify a point and that both sides have, except:
 * - those in `ignore`, which ends with NULL (NULL: none);
 * - engine, runtime, noise, belief_error and decision_cost, if the sides share no value of that column: a simulation
 *   has another engine than a real run;
 * - gpu_mem_bytes, if the sides share no value of that column and an earlier column was left out;
 * - eviction, if the sides share no value of that column and policies are compared.
 * If both sides have the column "identity" and share some identities, only rows with a shared identity take part.
 * TW_INVALID: a value is no number, a column is missing, or no point is on both sides. */
int tw__compare(struct tw__comparison *, const struct tw__side *a, const struct tw__side *b, const char *metric,
                const char *const *ignore, struct tw_error *err);
void tw__comparison_finish(struct tw__comparison *);

struct tw__spread {
	double mean, median, worst;
};

/* Of the pairs of one policy, or of all pairs: the spread of their ratios and absolute errors. `ratio.worst` is that of
 * the pair with the greatest absolute error. */
struct tw__summary {
	const char *policy; /* on side a; NULL: all pairs */
	int n;
	struct tw__spread ratio, error;
};
/* Makes summary i, from 0: of each policy in the order of the pairs, and then of all pairs. Returns false behind the
 * last one. */
bool tw__comparison_summary(const struct tw__comparison *, const struct tw__rows *a, int i, struct tw__summary *);

/* How many times faster side b is than side a: from the means of repetitions, and from their minima. */
static inline double tw__speedup_average(const struct tw__pair *p) { return p->of_a.mean / p->of_b.mean; }
static inline double tw__speedup_minimum(const struct tw__pair *p) { return p->of_a.least / p->of_b.least; }
/* The spread of the speed-ups of all pairs; the worst is the least. */
void tw__comparison_speedups(const struct tw__comparison *, struct tw__spread *average, struct tw__spread *minimum);

#endif
