#include "results/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "base/names.h"
#include "results/columns.h"

int tw__point_columns_of(const struct tw__rows *rows, const char *const *without, int *columns)
{
	int n = 0;
	const struct tw__column *c;
	for (int place = 1; (c = tw__point_column(place)); place++) {
		int column = tw__is_named(c->key, without) ? -1 : tw__rows_column(rows, c->key);
		if (column >= 0)
			columns[n++] = column;
	}
	return n;
}

struct order {
	const struct tw__rows *rows;
	const int *columns;
	int n;
};

static int compare_cells(const struct order *o, int a, int b)
{
	for (int i = 0; i < o->n; i++) {
		int sign = strcmp(tw__rows_text(o->rows, a, o->columns[i]), tw__rows_text(o->rows, b, o->columns[i]));
		if (sign)
			return sign;
	}
	return 0;
}

static int compare_rows(const void *x, const void *y, void *order)
{
	int a = *(const int *)x, b = *(const int *)y, sign = compare_cells(order, a, b);
	return sign ? sign : (a > b) - (a < b);
}

int tw__rows_group(const struct tw__rows *rows, const int *columns, int n_columns, int *group)
{
	struct order order = {rows, columns, n_columns};
	int n = 0, *sorted = tw_alloc((size_t)rows->n_rows, sizeof *sorted);
	for (int i = 0; i < rows->n_rows; i++)
		sorted[i] = i;
	qsort_r(sorted, (size_t)rows->n_rows, sizeof *sorted, compare_rows, &order);
	/* First, group[row] is the first row of the row's group, which is sorted first among equal rows. Then these
	 * first rows are numbered. */
	for (int i = 0, first = 0; i < rows->n_rows; i++) {
		if (i > 0 && compare_cells(&order, sorted[i - 1], sorted[i]) != 0)
			first = i;
		group[sorted[i]] = sorted[first];
	}
	for (int row = 0; row < rows->n_rows; row++)
		group[row] = group[row] == row ? n++ : group[group[row]];
	free(sorted);
	return n;
}

struct tw__stats tw__stats_of(double *values, int n)
{
	int known = 0;
	for (int i = 0; i < n; i++)
		if (isfinite(values[i]))
			values[known++] = values[i];
	struct tw__stats s = {.n = known, .mean = NAN, .least = NAN, .most = NAN, .sd = NAN, .ci95 = NAN};
	size_t size = (size_t)known;
	if (known > 0) {
		s.mean = gsl_stats_mean(values, 1, size);
		gsl_stats_minmax(&s.least, &s.most, values, 1, size);
	}
	if (known > 1) {
		s.sd = gsl_stats_sd(values, 1, size);
		s.ci95 = gsl_cdf_tdist_Pinv(0.975, known - 1) * s.sd / sqrt(known);
	}
	return s;
}

double tw__median_of(double *values, int n)
{
	if (n == 0)
		return NAN;
	gsl_sort(values, 1, (size_t)n);
	return gsl_stats_median_from_sorted_data(values, 1, (size_t)n);
}
