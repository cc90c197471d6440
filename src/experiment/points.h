/* Rows of results as points. Repetitions, which differ in seed only, are one point with a mean and its confidence
 * interval. */
#ifndef TW__POINTS_H
#define TW__POINTS_H

#include "experiment/rows.h"

/* Columns that identify a point: all inputs of a run except seed and repetition. Ends with NULL. */
extern const char *const tw__point_columns[];
enum { TW__MAX_POINT_COLUMNS = 16 };

/* Indices of those columns in the rows, except those in `without` (ends with NULL; NULL: none). Returns their
 * number. */
int tw__point_columns_of(const struct tw__rows *, const char *const *without, int *columns);

/* Numbers the groups of rows that agree in these columns, in the order of their first rows: group[row], from 0. Returns
 * the number of groups, or TW_NOMEM. */
int tw__rows_group(const struct tw__rows *, const int *columns, int n_columns, int *group, struct tw_error *err);

struct tw__stats {
	int n;
	double mean, least, most;
	double sd;   /* of the sample, n - 1; NAN for fewer than two values */
	double ci95; /* half the width of the 95 % confidence interval of the mean (Student); NAN too */
};

/* Ignores NANs; without any value all is NAN. Reorders the values. */
struct tw__stats tw__stats_of(double *values, int n);
double tw__median_of(double *values, int n); /* sorts them; NAN if n is 0 */

#endif
