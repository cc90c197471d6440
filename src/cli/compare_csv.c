/* Prints comparisons as CSV. */
#include "cli/compare_print.h"

#include <stdio.h>

#include "experiment/cells.h"
#include "experiment/choice.h"

/* A table with the points of n comparisons, which all have the same side a. */
struct table {
	const struct tw__comparison *comparisons;
	int n;
	const struct tw__rows *a;
	int joined[TW__MAX_POINT_COLUMNS], n_joined; /* columns of `a` that at least one comparison joins on */
	/* Adds the cells behind the joined columns for one pair of points; returns their number. */
	int (*add)(const struct table *, int comparison, const struct tw__pair *, struct cell *cells);
	char metrics[2][300];  /* for two files: names of the columns with their values */
	char *const *policies; /* for policies of one file: the first is compared with each other one */
};

static struct cell named(const char *name, struct cell cell)
{
	cell.key = name;
	return cell;
}

static int add_runs(const struct tw__pair *pair, struct cell *cells)
{
	cells[0] = named("runs_a", cell_integer(pair->of_a.n));
	cells[1] = named("runs_b", cell_integer(pair->of_b.n));
	return 2;
}

static bool is_joined(const struct tw__comparison *c, int column)
{
	for (int i = 0; i < c->n_columns; i++)
		if (c->columns[i][0] == column)
			return true;
	return false;
}

static void find_joined(struct table *t)
{
	for (int i = 0; tw__point_columns[i]; i++) {
		int column = tw__rows_column(t->a, tw__point_columns[i]), c = 0;
		while (c < t->n && !is_joined(&t->comparisons[c], column))
			c++;
		if (c < t->n)
			t->joined[t->n_joined++] = column;
	}
}

/* Fills the row of a pair of points: the joined columns, then the cells of `add`. The cell of a column that this
 * comparison does not join on stays empty. Returns the number of cells. */
static int fill(const struct table *t, int comparison, const struct tw__pair *pair, struct cell *cells)
{
	int n = 0;
	for (; n < t->n_joined; n++)
		cells[n] =
			named(t->a->names[t->joined[n]], is_joined(&t->comparisons[comparison], t->joined[n])
		                                                 ? cell_text(tw__rows_text(t->a, pair->a, t->joined[n]))
		                                                 : (struct cell){0});
	return n + t->add(t, comparison, pair, cells + n);
}

static int print(struct table *t, const char *columns, struct tw_error *err)
{
	struct tw__column_choice choice = {0};
	struct cell cells[TW__MAX_COLUMNS];
	find_joined(t);
	int n = fill(t, 0, &t->comparisons[0].pairs[0], cells);
	int status = columns ? tw__column_choice_parse(&choice, columns, cells, n, err) : TW_OK;
	if (status < 0)
		return status;
	tw__cells_write_keys(stdout, cells, tw__column_choice_apply(&choice, cells, n));
	for (int c = 0; c < t->n; c++)
		for (int p = 0; p < t->comparisons[c].n; p++) {
			n = fill(t, c, &t->comparisons[c].pairs[p], cells);
			tw__cells_write(stdout, cells, tw__column_choice_apply(&choice, cells, n));
		}
	return TW_OK;
}

/* --- two files --------------------------------------------------------------------------------------------------- */

static int add_values(const struct table *t, int comparison, const struct tw__pair *pair, struct cell *cells)
{
	(void)comparison;
	int n = add_runs(pair, cells);
	cells[n++] = named(t->metrics[0], cell_real(pair->of_a.mean));
	cells[n++] = named(t->metrics[1], cell_real(pair->of_b.mean));
	cells[n++] = named("ratio", cell_real(pair->ratio));
	cells[n++] = named("error", cell_real(pair->error));
	return n;
}

int print_comparison_csv(const struct tw__comparison *c, const struct tw__rows *a, const char *metric,
                         const char *columns, struct tw_error *err)
{
	struct table t = {.comparisons = c, .n = 1, .a = a, .add = add_values};
	for (int side = 0; side < 2; side++)
		snprintf(t.metrics[side], sizeof t.metrics[side], "%s_%c", metric, "ab"[side]);
	return print(&t, columns, err);
}

/* --- policies ---------------------------------------------------------------------------------------------------- */

static int add_speedups(const struct table *t, int comparison, const struct tw__pair *pair, struct cell *cells)
{
	int n = 0;
	cells[n++] = named("policy_a", cell_text(t->policies[0]));
	cells[n++] = named("policy_b", cell_text(t->policies[comparison + 1]));
	n += add_runs(pair, cells + n);
	cells[n++] = named("speedup_average", cell_real(pair->of_a.mean / pair->of_b.mean));
	cells[n++] = named("speedup_minimum", cell_real(pair->of_a.least / pair->of_b.least));
	return n;
}

int print_speedups_csv(const struct tw__comparison *c, int n, const struct tw__rows *rows, char *const *policies,
                       const char *columns, struct tw_error *err)
{
	struct table t = {.comparisons = c, .n = n, .a = rows, .add = add_speedups, .policies = policies};
	return print(&t, columns, err);
}
