#include "plot/facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "plot/chart.h"
#include "results/columns.h"

/* --- which column ------------------------------------------------------------------------------------------------- */

/* Counts the lines in the panel that has most of them; a line is in one panel. `panel`, `line`: [rows] numbers. */
static int count_most(const struct tw__rows *rows, const int *line, int n_lines, const int *panel, const bool *drawn)
{
	bool *seen = tw_alloc((size_t)n_lines, sizeof *seen);
	int *lines = tw_alloc((size_t)rows->n_rows, sizeof *lines), most = 0; /* [panels] */
	for (int row = 0; row < rows->n_rows; row++) {
		if ((drawn && !drawn[row]) || seen[line[row]])
			continue;
		seen[line[row]] = true;
		lines[panel[row]]++;
		most = lines[panel[row]] > most ? lines[panel[row]] : most;
	}
	free(seen);
	free(lines);
	return most;
}

/* Whether rows of one policy differ in the column. */
static bool varies(const struct tw__rows *rows, int column)
{
	const int policy = tw__rows_column(rows, "policy"), both[2] = {policy, column};
	return column != policy && tw__rows_count(rows, both, 2) > tw__rows_count(rows, &policy, 1);
}

int tw__facets_best(const struct tw__rows *rows, const int *columns, int n_columns, const bool *drawn, int *column,
                    int *most)
{
	size_t n = (size_t)rows->n_rows;
	int *line = tw_alloc(n, sizeof *line), *panel = tw_alloc(n, sizeof *panel);
	const int n_groups = tw__rows_group(rows, columns, n_columns, line);
	/* As yet, all lines are in one panel. */
	const int n_lines = count_most(rows, line, n_groups, panel, drawn);
	*column = -1;
	*most = n_lines;
	for (int c = 0; c < n_columns; c++) {
		if (!varies(rows, columns[c]) || tw__rows_group(rows, &columns[c], 1, panel) > TW__MAX_PANELS)
			continue;
		int lines = count_most(rows, line, n_groups, panel, drawn);
		if (lines > 1 && lines < *most) { /* panels of one line each compare nothing */
			*most = lines;
			*column = columns[c];
		}
	}
	free(line);
	free(panel);
	return n_lines;
}

/* Takes the column that the user names. */
static int take(const struct tw__rows *rows, const char *name, int not_column, int *column, struct tw_error *err)
{
	int status = tw__rows_find(rows, name, "--facet", column, err);
	if (status < 0)
		return status;
	if (*column == not_column)
		return tw_fail(err, TW_INVALID,
		               "plot: --facet '%.60s': expected another column than the horizontal axis", name);
	if (!tw__is_point_column(rows->names[*column]))
		return tw_fail(err, TW_INVALID,
		               "plot: --facet '%.60s': expected a column that tells runs apart, such as gpu_mem_bytes, "
		               "gpus, workload or policy",
		               name);
	return TW_OK;
}

/* --- the panels --------------------------------------------------------------------------------------------------- */

struct value {
	int row;
	double number; /* NAN: the cell has none */
	int panel;
};

static int by_number(const void *a, const void *b)
{
	const struct value *v = a, *w = b;
	bool both = isfinite(v->number) && isfinite(w->number);
	return both && v->number < w->number ? -1 : both && v->number > w->number ? 1 : v->panel - w->panel;
}

/* Numbers the panels: by their numbers if all values are some, else in the order of the rows. */
static int set_panels(struct tw__facets *f, struct tw__chart *chart, const struct tw__rows *rows, const bool *drawn,
                      struct tw_error *err)
{
	struct value values[TW__MAX_PANELS];
	int order[TW__MAX_PANELS], first[TW__MAX_PANELS];
	int *known = tw__arena_alloc(chart->arena, (size_t)rows->n_rows, sizeof *known); /* number of a value, from 1 */
	bool numbers = true;
	struct tw_error ignored;
	const char *name = rows->names[f->column];
	tw__rows_group(rows, &f->column, 1, f->panel);
	for (int row = 0; row < rows->n_rows; row++) {
		int *number = &known[f->panel[row]];
		if (!drawn[row] || *number)
			continue;
		if (f->n == TW__MAX_PANELS) {
			name = tw__is_workload(name) ? "workload" : name;
			return tw_fail(err, TW_INVALID,
			               "%s: plot: --facet: more than %d values of %s: expected fewer, as with --where "
			               "%s=%.60s",
			               rows->path, TW__MAX_PANELS, name, name,
			               tw__rows_text(rows, first[0], f->column));
		}
		struct value *v = &values[f->n];
		*v = (struct value){row, NAN, f->n};
		numbers = tw__parse_real(&v->number, tw__rows_text(rows, row, f->column), &ignored) == TW_OK && numbers;
		first[f->n++] = row;
		*number = f->n;
	}
	if (numbers)
		qsort(values, (size_t)f->n, sizeof *values, by_number);
	for (int i = 0; i < f->n; i++) {
		order[values[i].panel] = i;
		tw__cell_label(chart->panels[i].title, TW__CHART_LABEL, rows, values[i].row, f->column, first, f->n);
	}
	for (int row = 0; row < rows->n_rows; row++)
		f->panel[row] = known[f->panel[row]] ? order[known[f->panel[row]] - 1] : -1;
	return TW_OK;
}

/* Finds the columns that panels tell. An eviction policy that always comes with its policy is one, if panels show
 * policies. */
static void find_told(struct tw__facets *f, const struct tw__rows *rows)
{
	int columns[TW__MAX_POINT_COLUMNS + 1], n_columns = tw__point_columns_of(rows, NULL, columns);
	const int n = tw__rows_count(rows, &f->column, 1), policy = tw__rows_column(rows, "policy");
	columns[n_columns++] = tw__rows_column(rows, TW__FAMILY);
	for (int c = 0; c < n_columns; c++) {
		const int both[2] = {f->column, columns[c]};
		if (columns[c] == f->column || (columns[c] != policy && tw__rows_count(rows, both, 2) == n))
			f->told[f->n_told++] = columns[c];
	}
}

bool tw__facets_tell(const struct tw__facets *f, int column)
{
	for (int i = 0; i < f->n_told; i++)
		if (f->told[i] == column)
			return true;
	return false;
}

/* Chooses the column of the panels. Where lines have all sizes of a workload, so do panels. */
static int choose(struct tw__facets *f, const struct tw__series_input *in, const bool *drawn, const char *request,
                  int not_column, struct tw_error *err)
{
	int most, status = TW_OK;
	if (!request) {
		int n_lines = tw__facets_best(in->rows, in->columns, in->n_columns, drawn, &f->column, &most);
		f->column = n_lines <= TW__MANY_LINES ? -1 : f->column;
		return TW_OK;
	}
	if (strcmp(request, "none") != 0)
		status = take(in->rows, request, not_column, &f->column, err);
	for (int c = 0; c < in->n_columns && f->column >= 0; c++)
		if (in->columns[c] >= 0 && tw__is_workload(in->rows->names[in->columns[c]]) &&
		    tw__is_workload(in->rows->names[f->column]))
			f->column = in->columns[c];
	return status;
}

int tw__facets_init(struct tw__facets *f, struct tw__chart *chart, struct tw__series_input *in, const char *request,
                    int not_column, struct tw_error *err)
{
	const struct tw__rows *rows = in->rows;
	size_t n = (size_t)rows->n_rows;
	bool *drawn = tw__arena_alloc(chart->arena, n, sizeof *drawn);
	*f = (struct tw__facets){.column = -1, .panel = tw__arena_alloc(chart->arena, n, sizeof *f->panel)};
	for (int row = 0; row < rows->n_rows; row++)
		drawn[row] = isfinite(in->x[row]) && isfinite(in->y[row]);
	int status = choose(f, in, drawn, request, not_column, err);
	if (status == TW_OK && f->column >= 0)
		status = set_panels(f, chart, rows, drawn, err);
	if (f->n > 1)
		find_told(f, rows);
	else
		*f = (struct tw__facets){.column = -1, .n = 1, .panel = f->panel};
	chart->n_panels = f->n;
	in->facets = f;
	return status;
}

int tw__rows_count(const struct tw__rows *rows, const int *columns, int n_columns)
{
	int *group = tw_alloc((size_t)rows->n_rows, sizeof *group);
	int n = tw__rows_group(rows, columns, n_columns, group);
	free(group);
	return n;
}
