/* Groups rows of results into points. Repetitions, which differ only in seed, are one point, with a mean and its
 * confidence interval. */
#ifndef TW__POINTS_H
#define TW__POINTS_H

#include "results/rows.h"

/* The most columns that identify a point: inputs of a run, but not seed and repetition. See tw__point_column. */
enum { TW__MAX_POINT_COLUMNS = 32 };

/* Finds the columns of the rows that identify a point, without those in `without` (ends with NULL; NULL: none).
 * Returns their number. */
int tw__point_columns_of(const struct tw__rows *, const char *const *without, int *columns);

/* Groups the rows that agree in all given columns. Sets group[row] to the group's number: from 0, in the order of the
 * groups' first rows. Returns the number of groups. */
int tw__rows_group(const struct tw__rows *, const int *columns, int n_columns, int *group);

struct tw__stats {
	int n;
	double mean, least, most;
	double sd;   /* standard deviation of the sample (divisor n - 1); NAN for fewer than two values */
	double ci95; /* half the width of the 95 % confidence interval of the mean (Student); NAN for fewer than two */
};

/* Returns statistics of the finite values; all are NAN if there is none. Reorders `values`. */
struct tw__stats tw__stats_of(double *values, int n);
double tw__median_of(double *values, int n); /* sorts `values`; NAN if n is 0 */

#endif
