/* The figure "bars": one bar for each policy. Bars stand in groups, one for each number of GPUs or value of another
 * column that differs (workload, memory). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/figure.h"
#include "results/columns.h"
#include "results/points.h"

struct bars {
	struct tw__chart *categories, *chart; /* a group of bars is a curve of `categories` and an x of `chart` */
	struct tw__facets facets;
	double *y, *bound, *x;
	int *category;
	char what[80]; /* start of the title */
};

/* Fills b->y with the values of the column --metric, and b->bound with the bound. */
static int fill_y(struct tw__figure *g, struct bars *b, struct tw_error *err)
{
	const char *metric = g->request->metric ? g->request->metric : "gflops", *unit = tw__column_unit(metric);
	bool bytes = !strcmp(unit, "bytes");
	char label[80];
	snprintf(b->chart->y_label, sizeof b->chart->y_label, *unit ? "%s (%s)" : "%s",
	         tw__column_label(label, sizeof label, metric), bytes ? "GB" : unit);
	if (!strcmp(metric, "gflops")) {
		strcpy(b->what, "Performance");
		int status = tw__figure_numbers(g, "gflops", b->y, err);
		return status < 0 ? status : tw__figure_bounds(g, b->bound, err);
	}
	int status = tw__figure_numbers(g, metric, b->y, err);
	snprintf(b->what, sizeof b->what, "%.70s", metric);
	for (int row = 0; row < g->rows.n_rows && bytes; row++)
		b->y[row] /= 1e9;
	for (int row = 0; row < g->rows.n_rows; row++)
		b->bound[row] = NAN;
	return status;
}

static int fill(struct tw__figure *g, struct bars *b, struct tw_error *err)
{
	static const char *const scheduler[] = {"policy", "eviction", NULL};
	const struct tw__rows *rows = &g->rows;
	int columns[TW__MAX_POINT_COLUMNS], n = tw__point_columns_of(rows, scheduler, columns);
	int who[2] = {tw__rows_column(rows, "policy"), tw__rows_column(rows, "eviction")};
	int status = fill_y(g, b, err);
	struct tw__series_input groups = {.rows = rows,
	                                  .x = b->x,
	                                  .y = b->y,
	                                  .columns = columns,
	                                  .n_columns = n,
	                                  .workload = -1,
	                                  .bound = "",
	                                  .line = b->category};
	if (status == TW_OK)
		status = tw__figure_panels(g, &b->facets, b->chart, &groups, -1, err);
	if (status == TW_OK)
		status = tw__chart_add(b->categories, &groups, err);
	for (int row = 0; row < rows->n_rows && status == TW_OK; row++)
		b->x[row] = b->category[row];
	if (status == TW_OK && b->categories->n_curves == 1 && !*b->categories->curves[0].label)
		snprintf(b->categories->curves[0].label, TW__CHART_LABEL, "%.90s",
		         tw__rows_text(rows, 0, tw__rows_column(rows, "workload")));
	struct tw__series_input in = {.rows = rows,
	                              .x = b->x,
	                              .y = b->y,
	                              .columns = who,
	                              .n_columns = 2,
	                              .workload = -1,
	                              .of_colours = g->request->of_colours,
	                              .facets = &b->facets};
	if (status == TW_OK)
		status = tw__chart_add(b->chart, &in, err);
	in.y = b->bound;
	in.n_columns = 0;
	in.bound = "bound (area, path)";
	return status < 0 || g->request->no_bounds ? status : tw__chart_add(b->chart, &in, err);
}

/* Gives the chart the names of the groups. */
static int name_groups(struct bars *b, struct tw_error *err)
{
	const struct tw__chart *groups = b->categories;
	b->chart->ticks = calloc((size_t)groups->n_curves + 1, sizeof *b->chart->ticks);
	if (!b->chart->ticks)
		return tw_fail(err, TW_NOMEM, "plot: out of memory");
	for (int i = 0; i < groups->n_curves; i++)
		memcpy(b->chart->ticks[i], groups->curves[i].label, sizeof groups->curves[i].label);
	b->chart->n_ticks = groups->n_curves;
	b->chart->x_unit = b->chart->y_unit = 1;
	b->chart->y_from_zero = true;
	return TW_OK;
}

int tw__draw_bars(struct tw__figure *g, struct tw_error *err)
{
	size_t n = (size_t)g->rows.n_rows + 1;
	struct bars b = {.categories = tw__chart_create(),
	                 .chart = tw__chart_create(),
	                 .y = calloc(n, sizeof *b.y),
	                 .bound = calloc(n, sizeof *b.bound),
	                 .x = calloc(n, sizeof *b.x),
	                 .category = calloc(n, sizeof *b.category)};
	bool ok = b.categories && b.chart && b.y && b.bound && b.x && b.category;
	int status = ok ? fill(g, &b, err) : tw_fail(err, TW_NOMEM, "plot: out of memory");
	if (status == TW_OK && b.chart->n_series == 0)
		status = tw_fail(err, TW_INVALID, "%s: no row has the values that plot bars needs", g->rows.path);
	if (status == TW_OK)
		status = name_groups(&b, err);
	if (status == TW_OK) {
		tw__figure_title(g, b.what, b.chart->title, sizeof b.chart->title, b.chart->most_repetitions);
		status = tw__chart_rename(b.chart, g->request->names, err);
	}
	if (status == TW_OK)
		status = tw__chart_print(g->script, b.chart, g->request, err);
	if (b.chart)
		free(b.chart->ticks);
	tw__chart_destroy(b.categories);
	tw__chart_destroy(b.chart);
	tw__facets_finish(&b.facets);
	free(b.y);
	free(b.bound);
	free(b.x);
	free(b.category);
	return status;
}
