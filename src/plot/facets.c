#include "plot/facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "plot/chart.h"
#include "results/columns.h"

static int no_memory(const struct tw__rows *rows, struct tw_error *err)
{
	return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
}

/* --- which column ------------------------------------------------------------------------------------------------- */

/* Counts the lines in the panel that has most of them; a line is in one panel. `panel`, `line`: [rows] numbers. */
static int count_most(const struct tw__rows *rows, const int *line, int n_lines, const int *panel, const bool *drawn,
                      struct tw_error *err)
{
	bool *seen = calloc((size_t)n_lines + 1, sizeof *seen);
	int *lines = calloc((size_t)rows->n_rows + 1, sizeof *lines), most = 0; /* [panels] */
	if (!seen || !lines)
		most = no_memory(rows, err);
	for (int row = 0; most >= 0 && row < rows->n_rows; row++) {
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

/* Whether rows of one policy differ in the column: 1 or 0, or TW_NOMEM. */
static int varies(const struct tw__rows *rows, int column, struct tw_error *err)
{
	const int policy = tw__rows_column(rows, "policy"), both[2] = {policy, column};
	int policies = tw__rows_count(rows, &policy, 1, err), n = tw__rows_count(rows, both, 2, err);
	return policies < 0 ? policies : n < 0 ? n : column != policy && n > policies;
}

int tw__facets_best(const struct tw__rows *rows, const int *columns, int n_columns, const bool *drawn, int *column,
                    int *most, struct tw_error *err)
{
	size_t n = (size_t)rows->n_rows + 1;
	int *line = calloc(n, sizeof *line), *panel = calloc(n, sizeof *panel);
	int n_groups = line && panel ? tw__rows_group(rows, columns, n_columns, line, err) : no_memory(rows, err);
	/* As yet, all lines are in one panel. */
	int n_lines = n_groups < 0 ? n_groups : count_most(rows, line, n_groups, panel, drawn, err);
	int status = n_lines;
	*column = -1;
	*most = n_lines;
	for (int c = 0; c < n_columns && status >= 0; c++) {
		status = varies(rows, columns[c], err);
		if (status <= 0)
			continue;
		status = tw__rows_group(rows, &columns[c], 1, panel, err);
		if (status < 0 || status > TW__MAX_PANELS)
			continue;
		status = count_most(rows, line, n_groups, panel, drawn, err);
		if (status > 1 && status < *most) { /* panels of one line each compare nothing */
			*most = status;
			*column = columns[c];
		}
	}
	free(line);
	free(panel);
	return status < 0 ? status : n_lines;
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
	const char *text;
	double number; /* NAN: the text is none */
	int panel;
};

static int by_number(const void *a, const void *b)
{
	const struct value *v = a, *w = b;
	bool both = isfinite(v->number) && isfinite(w->number);
	return both && v->number < w->number ? -1 : both && v->number > w->number ? 1 : v->panel - w->panel;
}

static void write_title(char *title, const char *column, const struct value *values, int n, int i)
{
	const char *others[TW__MAX_PANELS];
	for (int k = 0; k < n; k++)
		others[k] = values[k].text;
	if (!strcmp(column, "workload"))
		tw__workload_apart(title, TW__CHART_LABEL, values[i].text, others, n);
	else
		tw__column_text(title, TW__CHART_LABEL, column, values[i].text);
}

/* Numbers the panels: by their numbers if all values are some, else in the order of the rows. `rows` has the families
 * of workloads in the column `by`. */
static int set_panels(struct tw__facets *f, const struct tw__rows *rows, int by, const bool *drawn,
                      struct tw_error *err)
{
	struct value values[TW__MAX_PANELS];
	int order[TW__MAX_PANELS];
	int *known = calloc((size_t)rows->n_rows + 1, sizeof *known); /* number of a value, from 1 */
	int status = known ? tw__rows_group(rows, &by, 1, f->panel, err) : no_memory(rows, err);
	bool numbers = true;
	struct tw_error ignored;
	for (int row = 0; row < rows->n_rows && status >= 0; row++) {
		int *number = &known[f->panel[row]];
		if (!drawn[row] || *number)
			continue;
		if (f->n == TW__MAX_PANELS) {
			status =
				tw_fail(err, TW_INVALID,
			                "%s: plot: --facet: more than %d values of %s: expected fewer, as with --where "
			                "%s=%.60s",
			                rows->path, TW__MAX_PANELS, rows->names[f->column], rows->names[f->column],
			                values[0].text);
			break;
		}
		struct value *v = &values[f->n];
		*v = (struct value){tw__rows_text(rows, row, by), NAN, f->n};
		numbers = tw__parse_real(&v->number, v->text, &ignored) == TW_OK && numbers;
		*number = ++f->n;
	}
	for (int row = 0; row < rows->n_rows && status >= 0; row++)
		f->panel[row] = known[f->panel[row]] - 1;
	free(known);
	if (status < 0)
		return status;
	if (numbers)
		qsort(values, (size_t)f->n, sizeof *values, by_number);
	for (int i = 0; i < f->n; i++) {
		order[values[i].panel] = i;
		write_title(f->titles[i], rows->names[f->column], values, f->n, i);
	}
	for (int row = 0; row < rows->n_rows; row++)
		f->panel[row] = f->panel[row] < 0 ? -1 : order[f->panel[row]];
	return TW_OK;
}

/* Finds the columns that panels tell. An eviction policy that always comes with its policy is one, if panels show
 * policies. */
static int find_told(struct tw__facets *f, const struct tw__families *families, const struct tw__series_input *in,
                     struct tw_error *err)
{
	int by = f->column == in->workload ? families->column : f->column;
	int columns[TW__MAX_POINT_COLUMNS], n_columns = tw__point_columns_of(in->rows, NULL, columns);
	int n = tw__rows_count(&families->rows, &by, 1, err), policy = tw__rows_column(in->rows, "policy");
	for (int c = 0; c < n_columns && n >= 0; c++) {
		int column = columns[c];
		const int both[2] = {by, column == in->workload ? families->column : column};
		int pairs = tw__rows_count(&families->rows, both, 2, err);
		if (pairs < 0)
			return pairs;
		if (column == f->column || (column != policy && pairs == n))
			f->told[f->n_told++] = column;
	}
	return n < 0 ? n : TW_OK;
}

bool tw__facets_tell(const struct tw__facets *f, int column)
{
	for (int i = 0; i < f->n_told; i++)
		if (f->told[i] == column)
			return true;
	return false;
}

static int choose(struct tw__facets *f, const struct tw__families *families, const struct tw__series_input *in,
                  const bool *drawn, const char *request, int not_column, struct tw_error *err)
{
	int columns[TW__MAX_POINT_COLUMNS], most;
	if (request) {
		int status = take(in->rows, request, not_column, &f->column, err);
		return status < 0 ? status
		                  : set_panels(f, &families->rows,
		                               f->column == in->workload ? families->column : f->column, drawn, err);
	}
	for (int c = 0; c < in->n_columns; c++)
		columns[c] = in->columns[c] >= 0 && in->columns[c] == in->workload ? families->column : in->columns[c];
	int by, n_lines = tw__facets_best(&families->rows, columns, in->n_columns, drawn, &by, &most, err);
	if (n_lines <= TW__MANY_LINES || by < 0)
		return n_lines;
	f->column = by == families->column ? in->workload : by;
	return set_panels(f, &families->rows, by, drawn, err);
}

int tw__facets_init(struct tw__facets *f, struct tw__series_input *in, const char *request, int not_column,
                    struct tw_error *err)
{
	size_t n = (size_t)in->rows->n_rows + 1;
	struct tw__families families = {0};
	bool *drawn = calloc(n, sizeof *drawn);
	*f = (struct tw__facets){.column = -1, .panel = calloc(n, sizeof *f->panel)};
	int status = f->panel && drawn ? TW_OK : no_memory(in->rows, err);
	for (int row = 0; status == TW_OK && row < in->rows->n_rows; row++)
		drawn[row] = isfinite(in->x[row]) && isfinite(in->y[row]);
	if (status == TW_OK && !(request && !strcmp(request, "none"))) {
		status = tw__families_init(&families, in->rows, in->size, err);
		if (status == TW_OK)
			status = choose(f, &families, in, drawn, request, not_column, err);
		if (status >= 0 && f->n > 1)
			status = find_told(f, &families, in, err);
		tw__families_finish(&families);
	}
	if (f->n < 2) {
		f->n = 1;
		f->column = -1;
	}
	free(drawn);
	in->facets = f;
	return status < 0 ? status : TW_OK;
}

void tw__facets_finish(struct tw__facets *f) { free(f->panel); }

/* --- families of workloads ---------------------------------------------------------------------------------------- */

int tw__families_init(struct tw__families *f, const struct tw__rows *rows, const char *size, struct tw_error *err)
{
	static char family[] = "(family)";
	size_t n = (size_t)rows->n_rows, n_columns = (size_t)rows->n_columns;
	int workload = tw__rows_column(rows, "workload");
	*f = (struct tw__families){.rows = *rows, .column = rows->n_columns, .names = calloc(n + 1, sizeof *f->names)};
	f->rows.n_columns++;
	f->rows.names = malloc((n_columns + 1) * sizeof *f->rows.names);
	f->rows.cells = malloc((n + 1) * (n_columns + 1) * sizeof *f->rows.cells);
	if (!f->names || !f->rows.names || !f->rows.cells)
		return no_memory(rows, err);
	memcpy(f->rows.names, rows->names, n_columns * sizeof *f->rows.names);
	f->rows.names[n_columns] = family;
	for (size_t row = 0; row < n; row++) {
		char **cells = f->rows.cells + row * (n_columns + 1);
		memcpy(cells, rows->cells + row * n_columns, n_columns * sizeof *cells);
		cells[n_columns] = f->names[row] = tw__workload_family(tw__rows_text(rows, (int)row, workload), size);
		if (!f->names[row])
			return no_memory(rows, err);
	}
	return TW_OK;
}

void tw__families_finish(struct tw__families *f)
{
	for (int row = 0; f->names && row < f->rows.n_rows; row++)
		free(f->names[row]);
	free(f->names);
	free(f->rows.names);
	free(f->rows.cells);
}

int tw__family_columns(const struct tw__families *f, const char *const *without, int *columns)
{
	int n = tw__point_columns_of(&f->rows, without, columns), workload = tw__rows_column(&f->rows, "workload");
	for (int c = 0; c < n; c++)
		if (columns[c] == workload)
			columns[c] = f->column;
	return n;
}

int tw__rows_count(const struct tw__rows *rows, const int *columns, int n_columns, struct tw_error *err)
{
	int *group = calloc((size_t)rows->n_rows + 1, sizeof *group);
	int n = group ? tw__rows_group(rows, columns, n_columns, group, err) : no_memory(rows, err);
	free(group);
	return n;
}
