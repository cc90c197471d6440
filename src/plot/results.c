/* Draws figures of results: reads the rows, makes the script, runs gnuplot. */
#include "plot/results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/adapt.h"
#include "results/columns.h"

const struct tw__figure_kind tw__figure_kinds[] = {
	{"gflops", "GFlop/s of each policy, with the bound", true, true},
	{"transfers", "data moved, with the bus limit and the I/O bounds", true, true},
	{"ratio", "makespan over the lower bound", true, true},
	{"counters", "a policy's own counter", true, true},
	{"bars", "GFlop/s of each policy, by GPUs", true, true},
	{"cloud", "all configurations of a node", false, false},
	{"best", "the best configurations of a node", true, true},
	{"validation", "simulated and real makespans", false, false},
	{0},
};

void tw__figure_tell_unknown(const struct tw__figure *g, const char *what, const double *values)
{
	int n = 0, first = 0;
	for (int row = 0; row < g->rows.n_rows; row++)
		if (!isfinite(values[row]) && n++ == 0)
			first = row;
	if (n > 0 && n < g->rows.n_rows)
		tw_log(TW_LOG_WARNING, "%s:%d: plot %s: %s is unknown in %d of %d rows, first here: left out",
		       g->rows.path, g->rows.lines[first], g->request->kind, what, n, g->rows.n_rows);
}

int tw__figure_numbers(const struct tw__figure *g, const char *name, double *values, struct tw_error *err)
{
	char what[80];
	int column;
	snprintf(what, sizeof what, "plot %s", g->request->kind);
	int status = tw__rows_need(&g->rows, name, what, &column, err);
	for (int row = 0; row < g->rows.n_rows && status == TW_OK; row++)
		status = tw__rows_number(&g->rows, row, column, &values[row], err);
	if (status == TW_OK && (!strcmp(name, "gflops") || !strcmp(name, "transferred_bytes")))
		tw__figure_tell_unknown(g, name, values);
	return status;
}

int tw__figure_bound_seconds(const struct tw__figure *g, double *seconds, struct tw_error *err)
{
	size_t n = (size_t)g->rows.n_rows;
	double *path_s = calloc(n + 1, sizeof *path_s);
	int status = path_s ? TW_OK : tw_fail(err, TW_NOMEM, "plot: out of memory");
	if (status == TW_OK)
		status = tw__figure_numbers(g, "bound_critical_path_s", path_s, err);
	if (status == TW_OK)
		status = tw__figure_numbers(g, "bound_area_s", seconds, err);
	for (size_t row = 0; row < n && status == TW_OK; row++) {
		seconds[row] = fmax(seconds[row], path_s[row]); /* one of the two may be NAN: fmax ignores it */
		seconds[row] = seconds[row] > 0 ? seconds[row] : NAN;
	}
	free(path_s);
	return status;
}

int tw__figure_bounds(const struct tw__figure *g, double *gflops, struct tw_error *err)
{
	size_t n = (size_t)g->rows.n_rows;
	double *flops = calloc(n + 1, sizeof *flops);
	int status = flops ? TW_OK : tw_fail(err, TW_NOMEM, "plot: out of memory");
	if (status == TW_OK)
		status = tw__figure_numbers(g, "flops", flops, err);
	if (status == TW_OK)
		status = tw__figure_bound_seconds(g, gflops, err);
	for (size_t row = 0; row < n && status == TW_OK; row++)
		gflops[row] = flops[row] / gflops[row] / 1e9;
	free(flops);
	return status;
}

int tw__figure_panels(const struct tw__figure *g, struct tw__facets *facets, struct tw__chart *chart,
                      struct tw__series_input *in, int not_column, struct tw_error *err)
{
	int status = tw__facets_init(facets, in, g->request->facet, not_column, err);
	if (status == TW_OK)
		tw__chart_set_panels(chart, facets);
	return status;
}

const char *tw__figure_size(const struct tw__figure *g)
{
	const char *column = g->request->x_column;
	return g->request->x == TW__X_COLUMN && !tw__column_named(column) ? column : NULL;
}

/* Returns the value of a column that all rows share; NULL: the rows differ, or the value is empty. */
static const char *shared(const struct tw__rows *rows, const char *column)
{
	int c = tw__rows_column(rows, column);
	for (int row = 1; row < rows->n_rows; row++)
		if (strcmp(tw__rows_text(rows, row, c), tw__rows_text(rows, 0, c)) != 0)
			return NULL;
	return rows->n_rows > 0 && *tw__rows_text(rows, 0, c) ? tw__rows_text(rows, 0, c) : NULL;
}

void tw__figure_title(const struct tw__figure *g, const char *what, char *title, size_t size, int most_repetitions)
{
	if (g->request->style.title) {
		snprintf(title, size, "%s", g->request->style.title);
		return;
	}
	const char *platform = shared(&g->rows, "platform"), *workload = shared(&g->rows, "workload");
	const char *cpus = shared(&g->rows, "cpus"), *gpus = shared(&g->rows, "gpus");
	char *family = NULL;
	bool one_family = !workload && g->rows.n_rows > 0;
	int column = tw__rows_column(&g->rows, "workload");
	for (int row = 0; one_family && row < g->rows.n_rows; row++) {
		char *other = tw__workload_family(tw__rows_text(&g->rows, row, column), tw__figure_size(g));
		one_family = other && (!family || !strcmp(family, other));
		if (family)
			free(other);
		else
			family = other;
	}
	const char *name = workload ? workload : one_family ? family : NULL;
	/* Of a platform's path, show only the folder's name. */
	if (platform && strrchr(platform, '/') && strrchr(platform, '/')[1])
		platform = strrchr(platform, '/') + 1;
	size_t at = (size_t)snprintf(title, size, "%s", what);
	if (name && at < size)
		at += (size_t)snprintf(title + at, size - at, ", %.40s", name);
	if (platform && at < size)
		at += (size_t)snprintf(title + at, size - at, " on %.30s", platform);
	if (cpus && gpus && at < size)
		at += (size_t)snprintf(title + at, size - at, ", %s CPU%s + %s GPU%s", cpus,
		                       strcmp(cpus, "1") ? "s" : "", gpus, strcmp(gpus, "1") ? "s" : "");
	if (most_repetitions > 1 && at < size)
		snprintf(title + at, size - at, "; error bars: 95 %% confidence");
	free(family);
}

static int draw(struct tw__figure *g, struct tw_error *err)
{
	static const struct {
		const char *kind;
		int (*draw)(struct tw__figure *, struct tw_error *);
	} others[] = {{"bars", tw__draw_bars},
	              {"cloud", tw__draw_cloud},
	              {"best", tw__draw_best},
	              {"validation", tw__draw_validation}};
	int (*draw_kind)(struct tw__figure *, struct tw_error *) = tw__draw_lines;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(g->request->kind, others[i].kind))
			draw_kind = others[i].draw;
	int status = draw_kind(g, err);
	/* Write the script to keep before gnuplot runs: it helps to find out why gnuplot fails. */
	if (status == TW_OK && g->request->keep_script)
		status = tw__gnuplot_keep(g->script, g->request->output, err);
	return status < 0 ? status : tw__gnuplot_run(g->script, g->request->output, err);
}

int tw__plot_rows(const struct tw__figure_request *request, const struct tw__rows *rows, struct tw__fact_book *book,
                  struct tw_error *err)
{
	struct tw__figure g = {.request = request, .rows = *rows, .book = book, .script = tmpfile()};
	if (!g.script)
		return tw_fail(err, TW_FAILED, "no temporary file: %s", strerror(errno));
	int status = draw(&g, err);
	fclose(g.script);
	return status;
}

/* Finds the column of the horizontal axis, which may be named by an option or be a parameter of the workload. */
static int find_x(struct tw__figure_request *request, struct tw__rows *rows, struct tw_error *err)
{
	int column;
	if (request->x != TW__X_COLUMN)
		return TW_OK;
	int status = tw__rows_find_or_make(rows, request->x_column, "--x", &column, err);
	if (status < 0)
		return status;
	request->x_column = rows->names[column];
	request->x = strcmp(request->x_column, "gpu_mem_bytes") ? TW__X_COLUMN : TW__X_MEMORY;
	return TW_OK;
}

int tw__plot_results(const struct tw__figure_request *request, struct tw_error *err)
{
	struct tw__rows rows;
	struct tw__figure_request own = *request;
	struct tw__fact_book *book = tw__fact_book_create();
	int status = book ? tw__rows_read(&rows, request->results, err) : tw_fail(err, TW_NOMEM, "plot: out of memory");
	if (status == TW_OK) {
		status = tw__rows_choose(&rows, request->where, err);
		if (status == TW_OK)
			status = find_x(&own, &rows, err);
		if (status == TW_OK)
			status = tw__plot_rows(&own, &rows, book, err);
		tw__rows_finish(&rows);
	}
	tw__fact_book_destroy(book);
	return status;
}
