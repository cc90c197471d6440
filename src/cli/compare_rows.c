/* Points of comparisons as rows, for programs: as CSV and as JSON. */
#include "cli/compare_print.h"

#include <stdio.h>

#include "base/spec.h"
#include "results/columns.h"

/* A table with the points of n comparisons, which all have the same side a. */
struct table {
	const struct tw__comparison *comparisons;
	int n;
	const struct tw__rows *a;
	bool as_json;
	struct tw__column_choice choice;
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
	const struct tw__column *known;
	for (int place = 1; (known = tw__point_column(place)); place++) {
		int column = tw__rows_column(t->a, known->key), c = 0;
		while (c < t->n && !is_joined(&t->comparisons[c], column))
			c++;
		if (c < t->n)
			t->joined[t->n_joined++] = column;
	}
}

/* The value of a joined column. CSV repeats the text; in JSON, numbers are numbers, and unknown values null. */
static struct cell joined_cell(const struct table *t, int row, int column)
{
	const char *text = tw__rows_text(t->a, row, column);
	enum tw__type type = tw__column_named(t->a->names[column])->type;
	struct tw_error err;
	int64_t integer;
	double real;
	if (t->as_json && !*text)
		return (struct cell){0};
	if (t->as_json && (type == TW__INT || type == TW__BYTES) && tw__parse_int(&integer, text, &err) == TW_OK)
		return cell_integer(integer);
	if (t->as_json && type == TW__REAL && tw__parse_real(&real, text, &err) == TW_OK)
		return cell_real(real);
	return cell_text(text);
}

/* Fills the row of a pair of points: the joined columns, then the cells of `add`. The cell of a column that this
 * comparison does not join on stays empty. Returns the number of cells. */
static int fill(const struct table *t, int comparison, const struct tw__pair *pair, struct cell *cells)
{
	int n = 0;
	for (; n < t->n_joined; n++) {
		bool joined = is_joined(&t->comparisons[comparison], t->joined[n]);
		cells[n] = named(t->a->names[t->joined[n]],
		                 joined ? joined_cell(t, pair->a, t->joined[n]) : (struct cell){0});
	}
	return n + t->add(t, comparison, pair, cells + n);
}

/* Finds the columns of the table, and the choice among them. TW_INVALID: an unknown column. */
static int open_table(struct table *t, const char *columns, struct tw_error *err)
{
	struct cell cells[TW__MAX_COLUMNS];
	find_joined(t);
	int n = fill(t, 0, &t->comparisons[0].pairs[0], cells);
	return columns ? tw__column_choice_parse(&t->choice, columns, cells, n, err) : TW_OK;
}

static int print_csv(struct table *t, const char *columns, struct tw_error *err)
{
	struct cell cells[TW__MAX_COLUMNS];
	int status = open_table(t, columns, err);
	if (status < 0)
		return status;
	int n = fill(t, 0, &t->comparisons[0].pairs[0], cells);
	tw__cells_write_keys(stdout, cells, tw__column_choice_apply(&t->choice, cells, n));
	for (int c = 0; c < t->n; c++)
		for (int p = 0; p < t->comparisons[c].n; p++) {
			n = fill(t, c, &t->comparisons[c].pairs[p], cells);
			tw__cells_write(stdout, cells, tw__column_choice_apply(&t->choice, cells, n));
		}
	return TW_OK;
}

/* *points: an array with an object for each point, which the caller owns. */
static int list_points(struct table *t, const char *columns, json_t **points, struct tw_error *err)
{
	struct cell cells[TW__MAX_COLUMNS];
	t->as_json = true;
	int status = open_table(t, columns, err);
	if (status < 0)
		return status;
	*points = json_array();
	for (int c = 0; c < t->n; c++)
		for (int p = 0; p < t->comparisons[c].n && status == TW_OK; p++) {
			int n = fill(t, c, &t->comparisons[c].pairs[p], cells);
			n = tw__column_choice_apply(&t->choice, cells, n);
			status = json_array_append_new(*points, tw__cells_json(cells, n)) < 0 ? TW_NOMEM : TW_OK;
		}
	if (status == TW_OK)
		return TW_OK;
	json_decref(*points);
	return tw_fail(err, TW_NOMEM, "compare: out of memory");
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

static struct table table_of_files(const struct tw__comparison *c, const struct tw__rows *a, const char *metric)
{
	struct table t = {.comparisons = c, .n = 1, .a = a, .add = add_values};
	for (int side = 0; side < 2; side++)
		snprintf(t.metrics[side], sizeof t.metrics[side], "%s_%c", metric, "ab"[side]);
	return t;
}

int print_comparison_csv(const struct tw__comparison *c, const struct tw__rows *a, const char *metric,
                         const char *columns, struct tw_error *err)
{
	struct table t = table_of_files(c, a, metric);
	return print_csv(&t, columns, err);
}

int comparison_points(const struct tw__comparison *c, const struct tw__rows *a, const char *metric, const char *columns,
                      json_t **points, struct tw_error *err)
{
	struct table t = table_of_files(c, a, metric);
	return list_points(&t, columns, points, err);
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
	return print_csv(&t, columns, err);
}

int speedup_points(const struct tw__comparison *c, int n, const struct tw__rows *rows, char *const *policies,
                   const char *columns, json_t **points, struct tw_error *err)
{
	struct table t = {.comparisons = c, .n = n, .a = rows, .add = add_speedups, .policies = policies};
	return list_points(&t, columns, points, err);
}
