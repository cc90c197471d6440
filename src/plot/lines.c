/* The figures of lines: performance, transfers, ratio to the bound, or counters, over the working set or over the GPUs'
 * memory. */
#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "plot/figure.h"
#include "results/columns.h"
#include "results/points.h"

/* Values of all rows; the arrays are [rows]. */
struct values {
	double *x, *y, *memory, *gpus;
	double *per;  /* by which all lines are divided; NULL: they are not */
	double *line; /* values of the reference line being drawn */
	struct tw__facts *facts;
	struct tw__facets facets;
};

/* Reads the counter `key` from the row's cell "key=value;..."; NAN: the counter is missing. TW_INVALID: its value is no
 * number. */
static int counter_of(const struct tw__rows *rows, int row, int column, const char *key, double *value,
                      struct tw_error *err)
{
	const char *counters = tw__rows_text(rows, row, column);
	size_t length = strlen(key);
	for (const char *at = counters; *at; at += strcspn(at, ";"), at += *at == ';')
		if (!strncmp(at, key, length) && at[length] == '=') {
			char text[64];
			struct tw_error ignored;
			snprintf(text, sizeof text, "%.*s", (int)strcspn(at + length + 1, ";"), at + length + 1);
			if (tw__parse_real(value, text, &ignored) == TW_OK && fabs(*value) <= TW__MAX_CELL)
				return TW_OK;
			return tw_fail(err, TW_INVALID, "%s:%d: counter '%.60s=%s': expected a number, at most %g",
			               rows->path, rows->lines[row], key, text, TW__MAX_CELL);
		}
	*value = NAN;
	return TW_OK;
}

/* Finds the first counter in all rows, and another one if there are several; "": none. `key` and `other` have 64 bytes.
 * Returns whether there is a counter. */
static bool find_counter(const struct tw__rows *rows, int column, char *key, char *other)
{
	*key = *other = '\0';
	for (int row = 0; row < rows->n_rows; row++)
		for (const char *at = tw__rows_text(rows, row, column); *at; at += strcspn(at, ";"), at += *at == ';') {
			int length = (int)strcspn(at, "=;");
			length = length < 63 ? length : 63;
			if (!*key)
				snprintf(key, 64, "%.*s", length, at);
			else if (!*other && (strlen(key) != (size_t)length || strncmp(key, at, (size_t)length) != 0))
				snprintf(other, 64, "%.*s", length, at);
		}
	return *key;
}

static int fill_counter(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	int column, known = 0, status = tw__rows_need(&g->rows, "counters", "plot counters", &column, err);
	if (status < 0)
		return status;
	char key[64], other[64];
	const char *name = g->request->counter ? g->request->counter : key;
	if (!find_counter(&g->rows, column, key, other))
		return tw_fail(
			err, TW_INVALID,
			"%s: no row has counters: expected results of a policy with counters, such as laheteroprio",
			g->rows.path);
	if (!g->request->counter && *other)
		return tw_fail(err, TW_INVALID, "%s: several counters: expected --counter %s, or --counter %s ...",
		               g->rows.path, key, other);
	for (int row = 0; row < g->rows.n_rows && status == TW_OK; row++) {
		status = counter_of(&g->rows, row, column, name, &v->y[row], err);
		known += isfinite(v->y[row]);
	}
	if (status < 0)
		return status;
	if (!known)
		return tw_fail(err, TW_INVALID, "%s: no row has the counter '%.60s': expected one such as '%s'",
		               g->rows.path, name, key);
	/* The unit of a counter depends on the policy; only that of joules is known. */
	if (!strcmp(name, "joules"))
		strcpy(chart->y_label, "energy (J)");
	else
		snprintf(chart->y_label, sizeof chart->y_label, "counter %.60s", name);
	return TW_OK;
}

static void label_y(struct tw__chart *chart, const char *column, const char *unit)
{
	char label[80];
	snprintf(chart->y_label, sizeof chart->y_label, "%s (%s)", tw__column_label(label, sizeof label, column), unit);
}

static int fill_gflops(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	label_y(chart, "gflops", tw__column_unit("gflops"));
	return tw__figure_numbers(g, "gflops", &v->y, err);
}

static int fill_transfers(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	chart->y_unit = 1e9;
	label_y(chart, "transferred_bytes", "GB");
	return tw__figure_numbers(g, "transferred_bytes", &v->y, err);
}

static int fill_ratio(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	chart->y_from_zero = false;
	strcpy(chart->y_label, "makespan / lower bound");
	int status = tw__figure_numbers(g, "makespan_s", &v->y, err);
	if (status == TW_OK)
		status = tw__figure_bound_seconds(g, &v->line, err);
	if (status < 0)
		return status;
	tw__figure_tell_unknown(g, "the bound", v->line);
	for (int row = 0; row < g->rows.n_rows; row++)
		v->y[row] /= v->line[row];
	return TW_OK;
}

/* Fills v->x, and the facts about each row. Over the working set, x is the size of the data. Over memory, x is the
 * memory of a GPU. Else it is a column of numbers. */
static int fill_x(struct tw__figure *g, struct tw__chart *chart, struct values *v, enum tw__fact wanted,
                  struct tw_error *err)
{
	bool over_memory = g->request->x == TW__X_MEMORY, over_column = g->request->x == TW__X_COLUMN;
	double most = 0, least = INFINITY, unknown = 0;
	const char *why = NULL;
	int status = tw__figure_numbers(g, "gpu_mem_bytes", &v->memory, err);
	if (status == TW_OK)
		status = tw__figure_numbers(g, "gpus", &v->gpus, err);
	if (status == TW_OK && over_column) {
		int column;
		status = tw__rows_find(&g->rows, g->request->x_column, "--x", &column, err);
		if (status == TW_OK)
			status = tw__figure_numbers(g, g->rows.names[column], &v->x, err);
	}
	for (int row = 0; row < g->rows.n_rows && status == TW_OK; row++) {
		status = tw__facts_of(g->book, &g->rows, row, wanted, &v->facts[row], err);
		if (over_memory)
			v->x[row] = v->gpus[row] > 0 ? v->memory[row] : NAN;
		else if (!over_column)
			v->x[row] = v->facts[row].working_set_bytes;
		unknown += !isfinite(v->x[row]);
		why = *v->facts[row].why ? v->facts[row].why : why;
		most = fmax(most, isfinite(v->x[row]) ? v->x[row] : 0);
		least = fmin(least, v->x[row] > 0 ? v->x[row] : INFINITY);
	}
	if (status < 0)
		return status;
	if (over_memory && unknown > 0)
		tw_log(TW_LOG_WARNING, "%s: %.0f rows without a bound on GPUs' memory: left out", g->rows.path,
		       unknown);
	if (over_column)
		tw__figure_tell_unknown(g, g->request->x_column, v->x);
	if (why && !g->request->no_bounds)
		tw_log(TW_LOG_WARNING, "%s: reference lines are missing: %s", g->rows.path, why);
	tw__figure_label_x(g, chart, v->x, least, most);
	return TW_OK;
}

static const char leading_term[] = "leading term";

/* Whether the horizontal axis tells the sizes of workloads, as in weak scaling: at each place of it, a family of
 * workloads has one size. */
static bool x_tells_sizes(const struct tw__figure *g, const char *of_x)
{
	const int x = tw__rows_column(&g->rows, of_x);
	const int sizes[2] = {x, tw__rows_column(&g->rows, "workload")};
	const int families[2] = {x, tw__rows_column(&g->rows, TW__FAMILY)};
	return tw__rows_count(&g->rows, sizes, 2) == tw__rows_count(&g->rows, families, 2) &&
	       tw__rows_count(&g->rows, sizes + 1, 1) > tw__rows_count(&g->rows, families + 1, 1);
}

/* Finds the columns that distinguish lines, and returns their number. Leaves out columns that a bound does not depend
 * on, and the one of the x axis. */
static int columns_of(const struct tw__figure *g, const char *bound, int *columns)
{
	const char *of_x = tw__figure_input_of_x(g);
	const bool per_memory = bound && !strcmp(bound, leading_term);
	const char *without[TW__MAX_POINT_COLUMNS + 3] = {NULL};
	int n = 0;
	const struct tw__column *c;
	for (int place = 1; bound && (c = tw__point_column(place)); place++)
		if (c->traits & TW__OF_ORDER)
			without[n++] = c->key;
	if (bound && !per_memory)
		without[n++] = "gpu_mem_bytes";
	if (of_x)
		without[n++] = of_x;
	n = (of_x && !x_tells_sizes(g, of_x) ? tw__point_columns_of : tw__family_columns)(&g->rows, without, columns);
	return tw__figure_leave_out_told(g, columns, n);
}

/* Divides the values of lines by those of --per. */
static void divide(const struct tw__figure *g, const struct values *v, double *y)
{
	for (int row = 0; v->per && row < g->rows.n_rows; row++)
		y[row] = v->per[row] > 0 ? y[row] / v->per[row] : NAN;
}

/* Reads the column of --per, and names it in the label of the vertical axis: "performance per node (GFlop/s)". */
static int fill_per(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	char label[80], unit[sizeof chart->y_label];
	int status = tw__figure_numbers(g, g->request->per, &v->per, err);
	if (status < 0)
		return status;
	const size_t length = strlen(tw__column_label(label, sizeof label, g->request->per));
	if (length > 1 && label[length - 1] == 's')
		label[length - 1] = '\0';
	const size_t at = strcspn(chart->y_label, "(");
	snprintf(unit, sizeof unit, "%s%s", chart->y_label[at] ? " " : "", chart->y_label + at);
	const size_t end = chart->y_label[at] ? at - 1 : at;
	snprintf(chart->y_label + end, sizeof chart->y_label - end, " per %s%s", label, unit);
	divide(g, v, v->y);
	tw__figure_tell_unknown(g, chart->y_label, v->y);
	return TW_OK;
}

/* Adds lines of `y`, which are divided already, or those of a bound, which are not. */
static int add(struct tw__figure *g, struct tw__chart *chart, struct values *v, double *y, const char *bound,
               struct tw_error *err)
{
	if (bound)
		divide(g, v, y);
	int columns[TW__MAX_POINT_COLUMNS];
	struct tw__series_input in = {.rows = &g->rows,
	                              .x = v->x,
	                              .y = y,
	                              .columns = columns,
	                              .n_columns = columns_of(g, bound, columns),
	                              .bound = bound,
	                              .of_colours = g->request->of_colours,
	                              .facets = &v->facets};
	int x = tw__figure_input_of_x(g) ? tw__rows_column(&g->rows, tw__figure_input_of_x(g)) : -1;
	/* The panels are those of the series, which come before all bounds. */
	int status = bound ? TW_OK : tw__facets_init(&v->facets, chart, &in, g->request->facet, x, err);
	return status < 0 ? status : tw__figure_add(g, chart, &in, err);
}

static int add_transfer_lines(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	static const char *const names[] = {"compulsory loads", "bus limit", leading_term};
	double *area_s;
	int n_rows = g->rows.n_rows, status = tw__figure_numbers(g, "bound_area_s", &area_s, err);
	for (int i = 0; i < 3 && status == TW_OK; i++) {
		double most = 0;
		for (int row = 0; row < n_rows; row++) {
			const struct tw__facts *facts = &v->facts[row];
			/* The leading term of the I/O bound holds only if the GPUs' memories cannot keep the whole
			 * working set. */
			v->line[row] = i == 0   ? facts->compulsory_bytes
			               : i == 1 ? facts->bus_bytes_per_s * area_s[row]
			               : v->gpus[row] * v->memory[row] < facts->working_set_bytes
			                       ? facts->leading_bytes / sqrt(v->gpus[row] * v->memory[row])
			                       : NAN;
			most = fmax(most, isfinite(v->line[row]) ? v->line[row] : 0);
		}
		if (most > 0) /* if CPUs can run all tasks, no load is compulsory: there is no line */
			status = add(g, chart, v, v->line, names[i], err);
	}
	return status;
}

/* Adds the peak of gemm as a horizontal line. The peak depends only on the workers, so there is one line for each node
 * and selection of workers. */
static int add_peak(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	static const char *const workers[] = {"platform", "gpus", "cpus", "cpu_groups"};
	int columns[4], n_known = 0;
	for (int i = 0; i < 4; i++)
		columns[i] = tw__rows_column(&g->rows, workers[i]);
	const struct tw__series_input in = {.rows = &g->rows,
	                                    .x = v->x,
	                                    .y = v->line,
	                                    .columns = columns,
	                                    .n_columns = tw__figure_leave_out_told(g, columns, 4),
	                                    .bound = "peak of gemm",
	                                    .facets = &v->facets};
	for (int row = 0; row < g->rows.n_rows; row++) {
		v->line[row] = v->facts[row].gemm_peak_flops_per_s / 1e9;
		n_known += isfinite(v->line[row]);
	}
	divide(g, v, v->line);
	return n_known ? tw__chart_add(chart, &in, err) : TW_OK;
}

static int add_performance_lines(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	int status = tw__figure_bounds(g, &v->line, err);
	if (status == TW_OK)
		status = add(g, chart, v, v->line, "bound (area, path)", err);
	return status < 0 ? status : add_peak(g, chart, v, err);
}

/* Adds the line of the bound at 1. */
static int add_ratio_line(struct tw__figure *g, struct tw__chart *chart, struct values *v, struct tw_error *err)
{
	for (int row = 0; row < g->rows.n_rows; row++)
		v->line[row] = isfinite(v->y[row]) ? 1 : NAN;
	const struct tw__series_input in = {
		.rows = &g->rows, .x = v->x, .y = v->line, .bound = "bound (area, path)", .facets = &v->facets};
	return tw__chart_add(chart, &in, err);
}

/* The figures of lines: their titles, the facts that their reference lines need, and what fills the vertical axis and
 * adds reference lines; NULL: there are none. */
typedef int filling(struct tw__figure *, struct tw__chart *, struct values *, struct tw_error *);
static const struct lines {
	const char *kind, *title;
	enum tw__fact wanted;
	filling *fill_y, *add_lines;
} all_lines[] = {
	{"gflops", "Performance", TW__FACT_PEAK, fill_gflops, add_performance_lines},
	{"transfers", "Transferred data", TW__FACT_BOUNDS, fill_transfers, add_transfer_lines},
	{"ratio", "Makespan over the lower bound", TW__FACT_DATA, fill_ratio, add_ratio_line},
	{"counters", "Counter", TW__FACT_DATA, fill_counter, NULL},
};

int tw__draw_lines(struct tw__figure *g, struct tw_error *err)
{
	const struct lines *lines = all_lines;
	struct tw__chart *chart = tw__chart_create(&g->arena);
	const size_t n = (size_t)g->rows.n_rows;
	struct values v = {.x = tw__arena_alloc(&g->arena, n, sizeof *v.x),
	                   .y = tw__arena_alloc(&g->arena, n, sizeof *v.y),
	                   .line = tw__arena_alloc(&g->arena, n, sizeof *v.line),
	                   .facts = tw__arena_alloc(&g->arena, n, sizeof *v.facts)};
	while (strcmp(lines->kind, g->request->kind) != 0)
		lines++;
	int status = fill_x(g, chart, &v, lines->wanted, err);
	if (status == TW_OK)
		status = lines->fill_y(g, chart, &v, err);
	if (status == TW_OK && g->request->per)
		status = fill_per(g, chart, &v, err);
	if (status == TW_OK)
		status = add(g, chart, &v, v.y, NULL, err);
	if (status == TW_OK && lines->add_lines && !g->request->no_bounds)
		status = lines->add_lines(g, chart, &v, err);
	if (status < 0)
		return status;
	for (int row = 0; row < g->rows.n_rows; row++) {
		int panel = v.facets.panel[row];
		double gpus = v.gpus[row];
		if (panel >= 0 && g->request->x != TW__X_COLUMN)
			tw__figure_mark(g, &chart->panels[panel], v.memory[row] * gpus, gpus, &v.facts[row]);
	}
	return tw__figure_print(g, chart, lines->title, err);
}
