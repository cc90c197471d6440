/* The figures "cloud" and "best" show many configurations of a node, as in Beaumont et al. 2016. "cloud" shows all of
 * them in panels (figures 3 and 4), "best" the best ones as ribbons (figure 5). A configuration is a choice of groups
 * of cores and of workers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "plot/figure.h"
#include "results/points.h"

enum { MOST_PANELS = 8, PANEL_WIDTH = 190, PANEL_HEIGHT = 170, TOP = 60 };

/* Values of all rows; the arrays are [rows]. A point's mean is stored at the point's first row; its other rows have
 * NAN. */
struct configurations {
	double *cpus, *gflops, *bound;
	/* The policy and the workload of each row, and for each of these the first row that has it. */
	int *policy, *workload, policies[MOST_PANELS], workloads[MOST_PANELS];
	int n_policies, n_workloads;
};

/* Replaces values by the means of groups. Groups are numbered in the order of their first rows. */
static void average(struct tw__figure *g, double *of, const int *group)
{
	const size_t n_rows = (size_t)g->rows.n_rows;
	double *sum = tw__arena_alloc(&g->arena, n_rows, sizeof *sum);
	int *n = tw__arena_alloc(&g->arena, n_rows, sizeof *n), n_seen = 0;
	for (size_t row = 0; row < n_rows; row++) {
		sum[group[row]] += isfinite(of[row]) ? of[row] : 0;
		n[group[row]] += isfinite(of[row]);
	}
	for (size_t row = 0; row < n_rows; row++) {
		bool is_first = group[row] == n_seen;
		n_seen += is_first;
		of[row] = is_first && n[group[row]] > 0 ? sum[group[row]] / n[group[row]] : NAN;
	}
}

static int init(struct tw__figure *g, struct configurations *c, struct tw_error *err)
{
	const struct tw__rows *rows = &g->rows;
	int columns[TW__MAX_POINT_COLUMNS];
	int *group = tw__arena_alloc(&g->arena, (size_t)rows->n_rows, sizeof *group);
	*c = (struct configurations){0};
	int status = tw__figure_numbers(g, "cpus", &c->cpus, err);
	if (status == TW_OK)
		status = tw__figure_numbers(g, "gflops", &c->gflops, err);
	if (status == TW_OK)
		status = tw__figure_bounds(g, &c->bound, err);
	if (status < 0)
		return status;
	tw__rows_group(rows, columns, tw__point_columns_of(rows, NULL, columns), group);
	average(g, c->gflops, group);
	average(g, c->bound, group);
	return TW_OK;
}

/* --- panels ------------------------------------------------------------------------------------------------------ */

/* Numbers the values of a column: `of`, [rows], is the number of each row's value, and `first` its first row. */
static int list_values(struct tw__figure *g, const char *name, int **of, int *first, int *n, struct tw_error *err)
{
	const struct tw__rows *rows = &g->rows;
	int column, status = tw__rows_need(rows, name, "plot cloud", &column, err);
	if (status < 0)
		return status;
	*of = tw__arena_alloc(&g->arena, (size_t)rows->n_rows, sizeof **of);
	*n = tw__rows_group(rows, &column, 1, *of);
	if (*n > MOST_PANELS)
		return tw_fail(err, TW_INVALID,
		               "%s: more than %d values of %s: expected fewer, as with --where %s=%.60s", rows->path,
		               MOST_PANELS, name, name, tw__rows_text(rows, 0, column));
	for (int row = rows->n_rows; row-- > 0;)
		first[(*of)[row]] = row;
	return TW_OK;
}

/* Prints the range of the y axis for the panels of workload w. The axis starts at 0, unless that leaves half of the
 * panels empty. */
static void print_range(FILE *f, const struct tw__rows *rows, const struct configurations *c, int w)
{
	double least = INFINITY, most = 0;
	for (int row = 0; row < rows->n_rows; row++)
		for (int i = 0; i < 2 && c->workload[row] == w; i++) {
			double y = i ? c->bound[row] : c->gflops[row];
			least = isfinite(y) ? fmin(least, y) : least;
			most = isfinite(y) ? fmax(most, y) : most;
		}
	double from = least > most / 2 && least < most ? least - 0.2 * (most - least) : 0;
	fprintf(f, "set yrange [%.10g:%.10g]\n", from, most > 0 ? most + 0.05 * (most - from) : 1);
}

/* Prints the panel of a policy, for workload w. `policy` == n_policies: the panel of the bound, which is the same for
 * all policies. */
static void print_panel(FILE *f, const struct tw__rows *rows, const struct configurations *c, int w, int policy)
{
	bool of_bound = policy == c->n_policies;
	double alone = NAN, most_cpus = -1;
	fprintf(f, "$panel%d_%d << END\n", w, policy);
	for (int row = 0; row < rows->n_rows; row++) {
		double y = of_bound ? c->bound[row] : c->gflops[row];
		if (!isfinite(y) || !isfinite(c->cpus[row]) || c->workload[row] != w ||
		    c->policy[row] != (of_bound ? 0 : policy))
			continue;
		fprintf(f, "%.10g %.10g\n", c->cpus[row], y);
		if (!*tw__rows_text(rows, row, tw__rows_column(rows, "cpu_groups")) && c->cpus[row] > most_cpus) {
			most_cpus = c->cpus[row];
			alone = y;
		}
	}
	fputs("END\nset title font ',11' ", f);
	tw__gnuplot_text(f,
	                 w > 0      ? ""
	                 : of_bound ? "bound"
	                            : tw__rows_text(rows, c->policies[policy], tw__rows_column(rows, "policy")),
	                 28);
	fputs(policy == 0 ? "\nset ylabel 'GFlop/s'\nset format y '%g'\nset label 1 "
	                  : "\nunset ylabel\nset format y ''\nset label 1 ",
	      f);
	char label[100];
	tw__cell_label(label, sizeof label, rows, c->workloads[w], tw__rows_column(rows, "workload"), c->workloads,
	               c->n_workloads);
	tw__gnuplot_text(f, policy ? "" : label, 27);
	fputs(" at graph 0.04, graph 0.08 left font ',10' front\n", f);
	fprintf(f, "%s\nset format x '%s'\n", w == c->n_workloads - 1 ? "set xlabel 'CPU workers'" : "unset xlabel",
	        w == c->n_workloads - 1 ? "%g" : "");
	fputs("unset arrow\n", f);
	if (isfinite(alone))
		fprintf(f,
		        "set arrow from graph 0, first %.10g to graph 1, first %.10g nohead dashtype 2 "
		        "linewidth 1.2 linecolor rgb 'black' back\n",
		        alone, alone);
	fprintf(f,
	        "plot $panel%d_%d using 1:2 with points pointtype %d pointsize 0.7 linecolor rgb '#%06" PRIx32
	        "' notitle\n",
	        w, policy, of_bound ? 2 : 6, of_bound ? 0x444444 : tw__colour_of(policy % 5));
}

static void print_cloud(FILE *f, const struct tw__rows *rows, const struct configurations *c, const char *title,
                        int width, int height)
{
	double least = INFINITY, most = -INFINITY;
	for (int row = 0; row < rows->n_rows; row++) {
		least = fmin(least, c->cpus[row]);
		most = fmax(most, c->cpus[row]);
	}
	fputs("set multiplot title ", f);
	tw__gnuplot_text(f, title, 150);
	fputs(" font ',13'\n", f);
	fputs("set border 3 linecolor rgb '#888888'\nunset key\nset tics nomirror textcolor rgb 'black' font ',10' "
	      "scale 0.5\n"
	      "set title offset 0,-0.6\nset xtics autofreq\n"
	      "set grid linetype 1 dashtype 1 linecolor rgb '#dddddd' linewidth 0.6\n",
	      f);
	fprintf(f, "set xrange [%.10g:%.10g]\n", least - 1, most + 1);
	for (int w = 0; w < c->n_workloads; w++) {
		print_range(f, rows, c, w);
		fprintf(f, "set tmargin at screen 1-%d./%d\nset bmargin at screen 1-%d./%d\n", TOP + w * PANEL_HEIGHT,
		        height, TOP + (w + 1) * PANEL_HEIGHT - 18, height);
		for (int p = 0; p <= c->n_policies; p++) {
			fprintf(f, "set lmargin at screen %d./%d\nset rmargin at screen %d./%d\n", 80 + p * PANEL_WIDTH,
			        width, 80 + (p + 1) * PANEL_WIDTH - 14, width);
			print_panel(f, rows, c, w, p);
		}
	}
	fputs("unset multiplot\n", f);
}

int tw__draw_cloud(struct tw__figure *g, struct tw_error *err)
{
	struct configurations c;
	char title[160];
	int status = init(g, &c, err);
	if (status == TW_OK)
		status = list_values(g, "workload", &c.workload, c.workloads, &c.n_workloads, err);
	if (status == TW_OK)
		status = list_values(g, "policy", &c.policy, c.policies, &c.n_policies, err);
	int width = 80 + (c.n_policies + 1) * PANEL_WIDTH, height = TOP + c.n_workloads * PANEL_HEIGHT + 36;
	width = width < 700 ? 700 : width;
	if (status == TW_OK)
		status = tw__gnuplot_terminal(g->script, g->request->output, &g->request->style, width, height, err);
	if (status < 0)
		return status;
	tw__figure_title(g, "Configurations (dashed: cores alone)", title, sizeof title, 1);
	print_cloud(g->script, &g->rows, &c, title, width, height);
	return TW_OK;
}

/* --- ribbons ----------------------------------------------------------------------------------------------------- */

int tw__draw_best(struct tw__figure *g, struct tw_error *err)
{
	const struct tw__rows *rows = &g->rows;
	const int columns[3] = {tw__rows_column(rows, TW__FAMILY), tw__rows_column(rows, "policy"),
	                        tw__rows_column(rows, "eviction")};
	struct configurations c;
	struct tw__facets facets;
	struct tw__chart *chart = tw__chart_create(&g->arena);
	double most = 0;
	int status = init(g, &c, err);
	for (int row = 0; row < rows->n_rows && status == TW_OK; row++) {
		struct tw__facts facts;
		status = tw__facts_of(g->book, rows, row, TW__FACT_DATA, &facts, err);
		c.cpus[row] = facts.working_set_bytes;
		most = fmax(most, isfinite(c.cpus[row]) ? c.cpus[row] : 0);
	}
	struct tw__series_input in = {.rows = rows,
	                              .x = c.cpus,
	                              .y = c.gflops,
	                              .columns = columns,
	                              .n_columns = 3,
	                              .best_share = 0.1,
	                              .of_colours = g->request->of_colours};
	if (status == TW_OK)
		status = tw__facets_init(&facets, chart, &in, g->request->facet, -1, err);
	if (status == TW_OK)
		status = tw__figure_add(g, chart, &in, err);
	in.y = c.bound;
	in.n_columns = 1;
	in.bound = "bound (area, path)";
	if (status == TW_OK && !g->request->no_bounds)
		status = tw__figure_add(g, chart, &in, err);
	if (status < 0)
		return status;
	struct tw__unit unit = tw__amount_unit(most);
	chart->x_unit = unit.bytes;
	chart->has_ribbons = true;
	snprintf(chart->x_label, sizeof chart->x_label, "working set: the workload's data (%s)", unit.name);
	strcpy(chart->y_label, "performance (GFlop/s)");
	return tw__figure_print(g, chart, "The best 10 % of configurations", err);
}
