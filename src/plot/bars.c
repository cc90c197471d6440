/* The figure "bars": one bar for each policy. Bars stand in groups, one for each number of GPUs or value of another
 * column that differs (workload, memory). */
#include <ctype.h>
#include <math.h>
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
	int status = tw__figure_numbers(g, metric, &b->y, err);
	if (!strcmp(metric, "gflops")) {
		strcpy(b->what, "Performance");
		return status < 0 ? status : tw__figure_bounds(g, &b->bound, err);
	}
	snprintf(b->what, sizeof b->what, "%s", label);
	b->what[0] = (char)toupper((unsigned char)label[0]);
	b->bound = tw__arena_alloc(&g->arena, (size_t)g->rows.n_rows, sizeof *b->bound);
	for (int row = 0; row < g->rows.n_rows && bytes; row++)
		b->y[row] /= 1e9;
	for (int row = 0; row < g->rows.n_rows; row++)
		b->bound[row] = NAN;
	return status;
}

/* Numbers the groups of bars, and gives the chart their names. */
static int fill_groups(struct tw__figure *g, struct bars *b, struct tw_error *err)
{
	static const char *const scheduler[] = {"policy", "eviction", NULL};
	const struct tw__rows *rows = &g->rows;
	struct tw__chart *groups = b->categories;
	int columns[TW__MAX_POINT_COLUMNS], n = tw__point_columns_of(rows, scheduler, columns);
	struct tw__series_input in = {.rows = rows,
	                              .x = b->x,
	                              .y = b->y,
	                              .columns = columns,
	                              .n_columns = n,
	                              .bound = "",
	                              .line = b->category};
	int status = tw__facets_init(&b->facets, b->chart, &in, g->request->facet, -1, err);
	if (status == TW_OK)
		status = tw__chart_add(groups, &in, err);
	if (status < 0)
		return status;
	if (groups->n_curves == 1 && !*groups->curves[0].label)
		snprintf(groups->curves[0].label, TW__CHART_LABEL, "%.90s",
		         tw__rows_text(rows, 0, tw__rows_column(rows, "workload")));
	for (int row = 0; row < rows->n_rows; row++)
		b->x[row] = b->category[row];
	b->chart->n_ticks = groups->n_curves;
	b->chart->ticks = tw__arena_alloc(&g->arena, (size_t)groups->n_curves, sizeof *b->chart->ticks);
	for (int i = 0; i < groups->n_curves; i++)
		memcpy(b->chart->ticks[i], groups->curves[i].label, sizeof groups->curves[i].label);
	return TW_OK;
}

static int fill(struct tw__figure *g, struct bars *b, struct tw_error *err)
{
	const int scheduler[2] = {tw__rows_column(&g->rows, "policy"), tw__rows_column(&g->rows, "eviction")};
	int status = fill_y(g, b, err);
	if (status == TW_OK)
		status = fill_groups(g, b, err);
	struct tw__series_input in = {.rows = &g->rows,
	                              .x = b->x,
	                              .y = b->y,
	                              .columns = scheduler,
	                              .n_columns = 2,
	                              .of_colours = g->request->of_colours,
	                              .facets = &b->facets};
	if (status == TW_OK)
		status = tw__figure_add(g, b->chart, &in, err);
	in.y = b->bound;
	in.n_columns = 0;
	in.bound = "bound (area, path)";
	return status < 0 || g->request->no_bounds ? status : tw__figure_add(g, b->chart, &in, err);
}

int tw__draw_bars(struct tw__figure *g, struct tw_error *err)
{
	size_t n = (size_t)g->rows.n_rows;
	struct bars b = {.categories = tw__chart_create(&g->arena),
	                 .chart = tw__chart_create(&g->arena),
	                 .x = tw__arena_alloc(&g->arena, n, sizeof *b.x),
	                 .category = tw__arena_alloc(&g->arena, n, sizeof *b.category)};
	int status = fill(g, &b, err);
	return status < 0 ? status : tw__figure_print(g, b.chart, b.what, err);
}
