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

/* --- rows that count ---------------------------------------------------------------------------------------------- */

static int drop_failed(struct tw__rows *rows)
{
	int n = rows->n_rows;
	rows->n_rows = 0;
	for (int row = 0; row < n; row++)
		if (tw__rows_is_ok(rows, row))
			tw__rows_add(rows, rows, row);
	return n - rows->n_rows;
}

/* Keeps the first row of each group. `group`: the number of each row's group. */
static void keep_firsts(struct tw__rows *rows, const int *group)
{
	int n = rows->n_rows;
	rows->n_rows = 0;
	for (int row = 0; row < n; row++)
		if (group[row] == rows->n_rows) /* groups are numbered in the order of their first rows */
			tw__rows_add(rows, rows, row);
}

/* Rows with the same identity are the same run: keeps one of them, with a warning. Other rows may agree in all columns
 * that identify a run, also seed and repeat. They differ in version or in an input without a column: warns, and counts
 * them as repetitions. */
static void check_repetitions(struct tw__rows *rows)
{
	int columns[TW__MAX_POINT_COLUMNS + 2], n_columns = tw__point_columns_of(rows, NULL, columns);
	int identity = tw__rows_column(rows, "identity"), seed = tw__rows_column(rows, "seed");
	int repeat = tw__rows_column(rows, "repeat"), n = rows->n_rows, groups = n;
	int *group = tw_alloc((size_t)n, sizeof *group);
	for (int row = 0; row < n && identity >= 0; row++)
		if (!*tw__rows_text(rows, row, identity))
			identity = -1;
	if (identity >= 0)
		groups = tw__rows_group(rows, &identity, 1, group);
	if (groups < n) {
		keep_firsts(rows, group);
		tw_log(TW_LOG_WARNING, "%s: %d row%s the identity of another row: left out", rows->path, n - groups,
		       n - groups == 1 ? " has" : "s have");
	}
	if (seed >= 0 && repeat >= 0) {
		columns[n_columns++] = seed;
		columns[n_columns++] = repeat;
		groups = tw__rows_group(rows, columns, n_columns, group);
	}
	if (groups < rows->n_rows && seed >= 0 && repeat >= 0)
		tw_log(TW_LOG_WARNING,
		       "%s: %d row%s with another in all columns that identify a run, "
		       "also seed and repeat: counted as repetitions",
		       rows->path, rows->n_rows - groups, rows->n_rows - groups == 1 ? " agrees" : "s agree");
	free(group);
}

int tw__rows_choose(struct tw__rows *rows, const char *const *where, struct tw_error *err)
{
	int status = tw__rows_where(rows, where, err);
	int failed = status == TW_OK ? drop_failed(rows) : 0;
	if (failed > 0)
		tw_log(TW_LOG_WARNING, "%s: %d failed run%s left out", rows->path, failed, failed == 1 ? "" : "s");
	if (status == TW_OK && rows->n_rows == 0)
		status = tw_fail(err, TW_INVALID, "%s: no successful run: expected at least one", rows->path);
	if (status == TW_OK)
		check_repetitions(rows);
	return status;
}
