/* Comparisons as text. */
#include "cli/compare_print.h"

#include <math.h>
#include <string.h>

#include "base/cell_table.h"

/* Chooses the columns to print: those joined on in which points differ, and always workload and policy. Returns their
 * number. */
static int choose_columns(const struct tw__comparison *c, const struct tw__rows *a, int *columns)
{
	int n = 0;
	for (int i = 0; i < c->n_columns; i++) {
		int column = c->columns[i][0];
		bool differs = !strcmp(a->names[column], "workload") || !strcmp(a->names[column], "policy");
		for (int p = 1; p < c->n && !differs; p++)
			differs = strcmp(tw__rows_text(a, c->pairs[p].a, column),
			                 tw__rows_text(a, c->pairs[0].a, column)) != 0;
		if (differs)
			columns[n++] = column;
	}
	return n;
}

/* --- which points ------------------------------------------------------------------------------------------------ */

static bool lacks(const struct tw__rows *rows, const struct tw__rows *other, const char *name)
{
	return tw__rows_column(rows, name) < 0 && tw__rows_column(other, name) >= 0;
}

/* If file a lacks a column that names points, the option --column can add it. */
static void print_left_out(const struct tw__comparison *c, const struct tw__rows *a, const struct tw__rows *b)
{
	const char *missing = lacks(a, b, "workload") ? "workload" : lacks(a, b, "policy") ? "policy" : NULL;
	printf("not joined on %s", c->left_out);
	if (missing)
		printf("; --column %s=TEXT adds the column %s to %s", missing, missing, a->path);
	putchar('\n');
}

/* Points of several runs that differ: an option can tell them apart, if at least one side has the column. */
static void print_mixed(const struct tw__comparison *c, const struct tw__rows *a, const struct tw__rows *b)
{
	const char *column = c->mixed_in;
	printf("points whose runs differ in %s, which is not joined on: %d; their means are compared", column,
	       c->mixed);
	if (lacks(a, b, column))
		printf("; --column %s=TEXT adds the column to %s", column, a->path);
	else if (!lacks(b, a, column))
		printf("; --where %s=VALUE chooses", column);
	putchar('\n');
}

static void print_scope(const struct tw__comparison *c, const struct tw__rows *a, const struct tw__rows *b)
{
	printf("%d point%s, joined on ", c->n, c->n == 1 ? "" : "s");
	for (int i = 0; i < c->n_columns; i++)
		printf("%s%s", i ? ", " : "", a->names[c->columns[i][0]]);
	putchar('\n');
	if (*c->left_out)
		print_left_out(c, a, b);
	if (c->by_identity)
		printf("rows of the same identity: %d; left out: %d of %s, %d of %s\n", c->by_identity,
		       c->rows_left_out[0], a->path, c->rows_left_out[1], b->path);
	if (c->mixed)
		print_mixed(c, a, b);
	if (c->unknown)
		printf("points without a value to compare: %d\n", c->unknown);
}

/* --- the table of points ----------------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = TW__MAX_POINT_COLUMNS + 6 };

/* Fills the cells of the columns joined on, and the number of runs. Returns the number of cells. */
static int fill_point(const struct tw__rows *a, const struct tw__pair *pair, const int *columns, int n,
                      struct cell *cells)
{
	for (int i = 0; i < n; i++) {
		char value[100];
		tw__column_text(value, sizeof value, a->names[columns[i]], tw__rows_text(a, pair->a, columns[i]));
		cells[i] = cell_format("%s", value);
	}
	cells[n++] = pair->of_a.n == pair->of_b.n ? cell_format("%d", pair->of_a.n)
	                                          : cell_format("%d, %d", pair->of_a.n, pair->of_b.n);
	return n;
}

/* Makes a cell with the mean and its confidence interval, as in "0.1234 ± 0.0021"; for a single run only the value. */
static struct cell mean_cell(const struct tw__stats *s)
{
	return isfinite(s->ci95) ? cell_format("%.5g ± %.2g", s->mean, s->ci95) : cell_format("%.5g", s->mean);
}

/* Prints the points of comparison i: a column for each one joined on, then those of `values`. */
static void print_points(const struct compared *c, int i, const struct cell_column *values)
{
	const struct tw__comparison *of = &c->of[i];
	struct cell_column titles[MOST_COLUMNS] = {0};
	struct cell cells[MOST_COLUMNS];
	int columns[TW__MAX_POINT_COLUMNS], n = choose_columns(of, c->a, columns), n_values = 0;
	for (; values[n_values].title; n_values++)
		titles[n + n_values] = values[n_values];
	for (int k = 0; k < n; k++)
		titles[k].title = c->a->names[columns[k]];
	struct cell_table t = {.columns = titles};
	for (const struct tw__pair *pair = of->pairs; pair < of->pairs + of->n; pair++) {
		int at = fill_point(c->a, pair, columns, n, cells);
		if (c->policies) {
			cells[at++] = cell_real(tw__speedup_average(pair));
			cells[at++] = cell_real(tw__speedup_minimum(pair));
		} else {
			cells[at++] = mean_cell(&pair->of_a);
			cells[at++] = mean_cell(&pair->of_b);
			cells[at++] = cell_real(pair->ratio);
			cells[at++] = cell_real(pair->error);
		}
		tw__cells_row(&t, cells, (size_t)at);
	}
	if (c->policies && n > 0) {
		struct tw__spread average, minimum;
		tw__comparison_speedups(of, &average, &minimum);
		const struct {
			const char *name;
			double average, minimum;
		} rows[] = {{"mean", average.mean, minimum.mean},
		            {"median", average.median, minimum.median},
		            {"worst", average.worst, minimum.worst}};
		for (int r = 0; r < 3; r++) {
			for (int k = 0; k <= n; k++)
				cells[k] = cell_text(k ? "" : rows[r].name);
			cells[n + 1] = cell_real(rows[r].average);
			cells[n + 2] = cell_real(rows[r].minimum);
			tw__cells_row(&t, cells, (size_t)n + 3);
		}
	}
	tw__cells_print(&t, stdout);
}

/* --- two files --------------------------------------------------------------------------------------------------- */

static void print_summaries(const struct compared *c)
{
	static const struct cell_column columns[] = {
		{.title = ""},
		{.title = "points"},
		{.title = "ratio: mean", .format = "%.4f"},
		{.title = "median", .format = "%.4f"},
		{.title = "worst", .format = "%.4f"},
		{.title = "error: mean", .unit = UNIT_PERCENT, .format = "%.2f %%"},
		{.title = "median", .unit = UNIT_PERCENT, .format = "%.2f %%"},
		{.title = "worst", .unit = UNIT_PERCENT, .format = "%.2f %%"},
		{0}};
	struct cell_table t = {.columns = columns};
	struct tw__summary s;
	for (int i = 0; tw__comparison_summary(c->of, c->a, i, &s); i++)
		tw__cells_add(&t, cell_text(s.policy ? s.policy : "all"), cell_integer(s.n), cell_real(s.ratio.mean),
		              cell_real(s.ratio.median), cell_real(s.ratio.worst), cell_real(s.error.mean),
		              cell_real(s.error.median), cell_real(s.error.worst));
	tw__cells_print(&t, stdout);
}

static void print_files(const struct compared *c)
{
	char of_a[600], of_b[600];
	snprintf(of_a, sizeof of_a, "%s of %s", c->metric, c->a->path);
	snprintf(of_b, sizeof of_b, "of %s", c->b->path);
	const struct cell_column values[] = {{.title = "runs", .align = 'r'},
	                                     {.title = of_a, .align = 'r'},
	                                     {.title = of_b, .align = 'r'},
	                                     {.title = "ratio", .format = "%.4f"},
	                                     {.title = "error", .unit = UNIT_CHANGE, .format = "%+.2f %%"},
	                                     {0}};
	print_scope(c->of, c->a, c->b);
	printf("only in %s: %d; only in %s: %d\n\n", c->a->path, c->of->only_a, c->b->path, c->of->only_b);
	print_points(c, 0, values);
	putchar('\n');
	print_summaries(c);
}

/* --- policies ---------------------------------------------------------------------------------------------------- */

static void print_policies(const struct compared *c)
{
	static const struct cell_column values[] = {{.title = "runs", .align = 'r'},
	                                            {.title = "from average", .format = "%.4f"},
	                                            {.title = "from minimum", .format = "%.4f"},
	                                            {0}};
	for (int i = 0; i < c->n; i++) {
		const char *a = c->policies[0], *b = c->policies[i + 1];
		printf("%sspeed-up of %s over %s: ", i ? "\n" : "", b, a);
		print_scope(&c->of[i], c->a, c->a);
		printf("only under %s: %d; only under %s: %d\n\n", a, c->of[i].only_a, b, c->of[i].only_b);
		print_points(c, i, values);
	}
}

void print_compared_text(const struct compared *c)
{
	if (c->policies)
		print_policies(c);
	else
		print_files(c);
}
