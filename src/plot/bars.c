/* The figure "bars": one bar for each policy. Bars stand in groups, one for each number of GPUs or value of another
 * column that differs (workload, memory). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/points.h"
#include "plot/results.h"

struct bars {
	struct tw__chart *categories, *chart; /* a group of bars is a curve of `categories` and an x of `chart` */
	double *y, *bound, *x;
	int *category;
	char y_label[80], what[80]; /* label of the y axis; start of the title */
};

static void print_ticks(FILE *f, const struct tw__chart *categories, const struct tw__chart *legend)
{
	size_t widest = 15;
	for (int i = 0; i < legend->n_curves; i++)
		widest = strlen(legend->curves[i].label) > widest ? strlen(legend->curves[i].label) : widest;
	size_t longest = 0;
	for (int i = 0; i < categories->n_curves; i++)
		longest = strlen(categories->curves[i].label) > longest ? strlen(categories->curves[i].label) : longest;
	/* About 100 characters of group names fit on one line. */
	bool crowded = (longest + 2) * (size_t)categories->n_curves > 80;
	fprintf(f, "set xtics scale 0 %s(", crowded ? "rotate by -25 left " : "");
	for (int i = 0; i < categories->n_curves; i++) {
		fputs(i ? ", " : "", f);
		tw__gnuplot_tick(f, categories->curves[i].label, 40);
		fprintf(f, " %d", i);
	}
	fputs(")\n", f);
	if (crowded)
		fprintf(f, "set bmargin %d\nset rmargin %d\n", 4 + (int)(longest > 40 ? 40 : longest) / 4,
		        9 + (int)(widest > 44 ? 44 : widest));
}

static void print(FILE *f, const struct bars *b)
{
	const struct tw__chart *c = b->chart;
	double width = 0.8 / (c->n_series > 0 ? c->n_series : 1);
	for (int i = 0; i < c->n_curves; i++) {
		fprintf(f, "$bars%d << END\n", i);
		for (int k = 0; k < c->curves[i].n_dots; k++) {
			const struct tw__dot *d = &c->curves[i].dots[k];
			double at = c->curves[i].is_bound ? d->x : d->x + (i - (c->n_series - 1) / 2.0) * width;
			fprintf(f, "%.10g %.10g %.10g %.10g\n", at, d->y, d->low, d->high);
		}
		fputs("END\n", f);
	}
	fputs("set border 3 linecolor rgb '#888888'\nset tics nomirror textcolor rgb 'black'\n"
	      "set grid ytics linetype 1 dashtype 1 linecolor rgb '#d4d4d4' linewidth 0.8\n"
	      "set key outside right top vertical Left reverse spacing 1.15\nset title ",
	      f);
	tw__gnuplot_text(f, c->title, 150);
	fputs("\nset ylabel ", f);
	tw__gnuplot_text(f, b->y_label, 60);
	fprintf(f, "\nset yrange [0:*]\nset xrange [-0.6:%d-0.4]\n", b->categories->n_curves);
	print_ticks(f, b->categories, c);
	for (int i = 0; i < c->n_curves; i++) {
		fputs(i ? ", " : "plot ", f);
		if (c->curves[i].is_bound)
			fprintf(f,
			        "$bars%d using ($1-0.45):2:(0.9):(0) with vectors nohead dashtype 2 linewidth 1.6 "
			        "linecolor rgb 'black'",
			        i);
		else
			fprintf(f,
			        "$bars%d using 1:2:(%.6g) with boxes fillstyle solid 1 border rgb 'black' "
			        "linewidth 0.6 fillcolor rgb '#%06" PRIx32 "'",
			        i, 0.94 * width, tw__colour_of_area(c, &c->curves[i], i));
		fputs(" title ", f);
		tw__gnuplot_text(f, c->curves[i].label, 44);
	}
	for (int i = 0; i < c->n_series && c->most_repetitions > 1; i++)
		fprintf(f,
		        ", $bars%d using 1:3:(0):($4>$3?$4-$3:NaN) with vectors heads size screen 0.004,90 fixed "
		        "linewidth 1.6 linecolor rgb '#888888' notitle",
		        i);
	putc('\n', f);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), of_end = strlen(end);
	return length > of_end && !strcmp(text + length - of_end, end);
}

/* Fills b->y with the values of the column --metric, and b->bound with the bound. The name of a column ends with its
 * unit, which goes to the label of the axis. */
static int fill_y(struct tw__figure *g, struct bars *b, struct tw_error *err)
{
	const char *metric = g->request->metric;
	if (!metric || !strcmp(metric, "gflops")) {
		strcpy(b->y_label, "performance (GFlop/s)");
		strcpy(b->what, "Performance");
		int status = tw__figure_numbers(g, "gflops", b->y, err);
		return status < 0 ? status : tw__figure_bounds(g, b->bound, err);
	}
	int status = tw__figure_numbers(g, metric, b->y, err), length = (int)strlen(metric);
	bool bytes = ends_with(metric, "_bytes"), seconds = ends_with(metric, "_s");
	snprintf(b->what, sizeof b->what, "%.70s", metric);
	length -= bytes ? 6 : seconds ? 2 : 0;
	snprintf(b->y_label, sizeof b->y_label, "%.*s%s", length < 60 ? length : 60, metric,
	         bytes     ? " (GB)"
	         : seconds ? " (s)"
	                   : "");
	for (char *c = b->y_label; *c; c++)
		*c = *c == '_' ? ' ' : *c;
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
	if (status == TW_OK)
		status = tw__chart_add(b->categories,
		                       &(struct tw__series_input){.rows = rows,
		                                                  .x = b->x,
		                                                  .y = b->y,
		                                                  .columns = columns,
		                                                  .n_columns = n,
		                                                  .workload = -1,
		                                                  .bound = "",
		                                                  .line = b->category},
		                       err);
	for (int row = 0; row < rows->n_rows && status == TW_OK; row++)
		b->x[row] = b->category[row];
	if (status == TW_OK && b->categories->n_curves == 1 && !*b->categories->curves[0].label)
		snprintf(b->categories->curves[0].label, TW__CHART_LABEL, "%.90s",
		         tw__rows_text(rows, 0, tw__rows_column(rows, "workload")));
	if (status == TW_OK)
		status = tw__chart_add(
			b->chart,
			&(struct tw__series_input){
				.rows = rows, .x = b->x, .y = b->y, .columns = who, .n_columns = 2, .workload = -1},
			err);
	return status < 0 ? status
	                  : tw__chart_add(b->chart,
	                                  &(struct tw__series_input){.rows = rows,
	                                                             .x = b->x,
	                                                             .y = b->bound,
	                                                             .workload = -1,
	                                                             .bound = "bound (area, path)"},
	                                  err);
}

int tw__draw_bars(struct tw__figure *g, struct tw_error *err)
{
	size_t n = (size_t)g->rows.n_rows + 1;
	struct bars b = {calloc(1, sizeof *b.categories),
	                 calloc(1, sizeof *b.chart),
	                 calloc(n, sizeof *b.y),
	                 calloc(n, sizeof *b.bound),
	                 calloc(n, sizeof *b.x),
	                 calloc(n, sizeof *b.category),
	                 "",
	                 ""};
	bool ok = b.categories && b.chart && b.y && b.bound && b.x && b.category;
	int status = ok ? fill(g, &b, err) : tw_fail(err, TW_NOMEM, "plot: out of memory");
	if (status == TW_OK && b.chart->n_series == 0)
		status = tw_fail(err, TW_INVALID, "%s: no row has the values that plot bars needs", g->rows.path);
	if (status == TW_OK)
		status = tw__gnuplot_terminal(g->script, g->request->output, TW__CHART_WIDTH, TW__CHART_HEIGHT, err);
	if (status == TW_OK) {
		tw__figure_title(g, b.what, b.chart->title, sizeof b.chart->title, b.chart->most_repetitions);
		print(g->script, &b);
	}
	if (b.categories)
		tw__chart_finish(b.categories);
	if (b.chart)
		tw__chart_finish(b.chart);
	free(b.categories);
	free(b.chart);
	free(b.y);
	free(b.bound);
	free(b.x);
	free(b.category);
	return status;
}
