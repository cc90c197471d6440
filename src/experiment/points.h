/* Rows of results as points: repetitions of one run, told apart by seed alone, are one point with a mean and its confidence. */
#ifndef TW__POINTS_H
#define TW__POINTS_H

#include "experiment/rows.h"

/* The columns that name a point: all that went into a run but seed and repetition. Ends with NULL. */
extern const char *const tw__point_columns[];
enum { TW__MAX_POINT_COLUMNS = 16 };

/* Those that the rows have, without those of `without` (NULL at its end; NULL: none); returns how many. */
int tw__point_columns_of(const struct tw__rows *, const char *const *without, int *columns);

/* Numbers groups of rows that agree in these columns, from 0 in the order of their first rows: group[row]. Returns how many, or
 * TW_NOMEM. */
int tw__rows_group(const struct tw__rows *, const int *columns, int n_columns, int *group, struct tw_error *err);

struct tw__stats {
	int n;
	double mean, least, most;
	double sd;   /* of the sample, n - 1; NAN for fewer than two values */
	double ci95; /* half the width of the 95 % confidence interval of the mean (Student); NAN too */
};

/* NANs are left out; of no value at all, all is NAN. Reorders the values. */
struct tw__stats tw__stats_of(double *values, int n);
double tw__median_of(double *values, int n); /* sorts them; NAN of none */

#endif
