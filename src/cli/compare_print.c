#include "cli/compare_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grid.h"
#include "results/columns.h"

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

/* --- two files --------------------------------------------------------------------------------------------------- */

/* Adds a cell with the mean and its confidence interval, as in "0.1234 ± 0.0021"; for a single run only the value. */
static void add_value(struct grid *g, const struct tw__stats *s)
{
	if (isfinite(s->ci95))
		grid_add(g, "%.5g ± %.2g", s->mean, s->ci95);
	else
		grid_add(g, "%.5g", s->mean);
}

static void add_runs(struct grid *g, const struct tw__pair *pair)
{
	if (pair->of_a.n == pair->of_b.n)
		grid_add(g, "%d", pair->of_a.n);
	else
		grid_add(g, "%d, %d", pair->of_a.n, pair->of_b.n);
}

static int print_points(const struct tw__comparison *c, const struct tw__rows *a, const struct tw__rows *b,
                        const char *metric, struct tw_error *err)
{
	int columns[TW__MAX_POINT_COLUMNS], n = choose_columns(c, a, columns);
	char right[TW__MAX_POINT_COLUMNS + 6] = "";
	memset(right, 'l', (size_t)n);
	strcpy(right + n, "rrrrr");
	struct grid g = {.columns = n + 5, .right = right};
	for (int i = 0; i < n; i++)
		grid_add(&g, "%s", a->names[columns[i]]);
	grid_add(&g, "runs");
	grid_add(&g, "%s of %s", metric, a->path);
	grid_add(&g, "of %s", b->path);
	grid_add(&g, "ratio");
	grid_add(&g, "error");
	for (int p = 0; p < c->n; p++) {
		const struct tw__pair *pair = &c->pairs[p];
		for (int i = 0; i < n; i++) {
			const char *text = tw__rows_text(a, pair->a, columns[i]);
			char value[100];
			tw__column_text(value, sizeof value, a->names[columns[i]], text);
			grid_add(&g, "%s", value);
		}
		add_runs(&g, pair);
		add_value(&g, &pair->of_a);
		add_value(&g, &pair->of_b);
		grid_add(&g, "%.4f", pair->ratio);
		grid_add(&g, "%+.2f %%", 100 * pair->error);
	}
	return grid_print(&g, stdout, "", err);
}

static int add_summary(struct grid *g, const struct tw__comparison *c, const struct tw__rows *a, const char *policy,
                       struct tw_error *err)
{
	struct tw__summary s;
	int status = tw__comparison_summary(c, a, policy, &s, err);
	grid_add(g, "%s", policy ? policy : "all");
	grid_add(g, "%d", s.n);
	grid_add(g, "%.4f", s.ratio_mean);
	grid_add(g, "%.4f", s.ratio_median);
	grid_add(g, "%.4f", s.ratio_worst);
	grid_add(g, "%.2f %%", 100 * s.error_mean);
	grid_add(g, "%.2f %%", 100 * s.error_median);
	grid_add(g, "%.2f %%", 100 * s.error_worst);
	return status;
}

static int print_summaries(const struct tw__comparison *c, const struct tw__rows *a, struct tw_error *err)
{
	struct grid g = {.columns = 8, .right = "lrrrrrrr"};
	static const char *const titles[] = {"",      "points",      "ratio: mean", "median",
	                                     "worst", "error: mean", "median",      "worst"};
	int column = tw__rows_column(a, "policy"), status = TW_OK;
	for (int i = 0; i < 8; i++)
		grid_add(&g, "%s", titles[i]);
	for (int p = 0; column >= 0 && p < c->n && status == TW_OK; p++) {
		const char *policy = tw__rows_text(a, c->pairs[p].a, column);
		int q = 0;
		while (strcmp(tw__rows_text(a, c->pairs[q].a, column), policy) != 0)
			q++;
		if (q == p) /* row p is the first with its policy */
			status = add_summary(&g, c, a, policy, err);
	}
	if (status == TW_OK)
		status = add_summary(&g, c, a, NULL, err);
	struct tw_error inner;
	int printed = grid_print(&g, stdout, "", status < 0 ? &inner : err);
	return status < 0 ? status : printed;
}

int print_comparison(const struct tw__comparison *c, const struct tw__rows *a, const struct tw__rows *b,
                     const char *metric, struct tw_error *err)
{
	print_scope(c, a, b);
	printf("only in %s: %d; only in %s: %d\n\n", a->path, c->only_a, b->path, c->only_b);
	int status = print_points(c, a, b, metric, err);
	if (status < 0)
		return status;
	putchar('\n');
	return print_summaries(c, a, err);
}

/* --- two policies ------------------------------------------------------------------------------------------------ */

static void add_speedups(struct grid *g, const char *name, int n, double average, double minimum)
{
	grid_add(g, "%s", name);
	for (int i = 1; i < n; i++)
		grid_add(g, "%s", "");
	grid_add(g, "%s", "");
	grid_add(g, "%.4f", average);
	grid_add(g, "%.4f", minimum);
}

static int speedups_text(const struct tw__comparison *c, const struct tw__rows *rows, struct tw_error *err)
{
	int columns[TW__MAX_POINT_COLUMNS], n = choose_columns(c, rows, columns);
	char right[TW__MAX_POINT_COLUMNS + 4] = "";
	struct tw__speedup_summary average, minimum;
	int status = tw__comparison_speedups(c, &average, &minimum, err);
	if (status < 0)
		return status;
	memset(right, 'l', (size_t)n);
	strcpy(right + n, "rrr");
	struct grid g = {.columns = n + 3, .right = right};
	for (int i = 0; i < n; i++)
		grid_add(&g, "%s", rows->names[columns[i]]);
	grid_add(&g, "runs");
	grid_add(&g, "from average");
	grid_add(&g, "from minimum");
	for (int p = 0; p < c->n; p++) {
		const struct tw__pair *pair = &c->pairs[p];
		for (int i = 0; i < n; i++) {
			char value[100];
			tw__column_text(value, sizeof value, rows->names[columns[i]],
			                tw__rows_text(rows, pair->a, columns[i]));
			grid_add(&g, "%s", value);
		}
		add_runs(&g, pair);
		grid_add(&g, "%.4f", tw__speedup_average(pair));
		grid_add(&g, "%.4f", tw__speedup_minimum(pair));
	}
	if (n > 0) {
		add_speedups(&g, "mean", n, average.mean, minimum.mean);
		add_speedups(&g, "median", n, average.median, minimum.median);
		add_speedups(&g, "worst", n, average.worst, minimum.worst);
	}
	return grid_print(&g, stdout, "", err);
}

int print_speedups(const struct tw__comparison *c, const struct tw__rows *rows, const char *a, const char *b,
                   struct tw_error *err)
{
	printf("speed-up of %s over %s: ", b, a);
	print_scope(c, rows, rows);
	printf("only under %s: %d; only under %s: %d\n\n", a, c->only_a, b, c->only_b);
	return speedups_text(c, rows, err);
}
