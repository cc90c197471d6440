/* The figure "validation", for rows of `validate-model`. Its panels show simulated over real makespans, the parts of
 * their difference, and real durations of kernels over those of the model. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/figure.h"

enum {
	WIDTH = 1000,
	HEIGHT = 1100,
	MOST_POLICIES = 9,
	MOST_KERNELS = 40,
	MOST_NAME = 60,
	N_PARTS = 5,
	MOST_TICKS = 24
};

static const char *const part_columns[N_PARTS] = {"part_kernels", "part_order", "part_bus", "part_runtime",
                                                  "part_rest"};
static const char *const part_names[N_PARTS] = {"kernels", "order", "bus", "runtime", "rest"};

struct names {
	int n, most;
	char of[MOST_KERNELS][MOST_NAME];
};

struct validation {
	int n;
	double *real_s, *simulated_s, *low_s, *high_s, *parts[N_PARTS];
	struct names policies, kernels;
	int workload, policy, kernel; /* indices of these columns in the rows */
};

/* Returns the index of a name. A new name is added if there is room; otherwise -1. */
static int number_of(struct names *names, const char *name, size_t length)
{
	length = length < MOST_NAME ? length : MOST_NAME - 1;
	for (int i = 0; i < names->n; i++)
		if (strlen(names->of[i]) == length && strncmp(names->of[i], name, length) == 0)
			return i;
	if (names->n == names->most)
		return -1;
	memcpy(names->of[names->n], name, length);
	names->of[names->n][length] = '\0';
	return names->n++;
}

/* --- panels ------------------------------------------------------------------------------------------------------- */

static void print_makespans(const struct tw__figure *g, struct validation *v)
{
	FILE *f = g->script;
	double least_s = INFINITY, most_s = 0;
	for (int row = 0; row < v->n; row++) {
		least_s = fmin(least_s, fmin(v->real_s[row], v->low_s[row]));
		most_s = fmax(most_s, fmax(v->real_s[row], v->high_s[row]));
	}
	for (int p = 0; p < v->policies.n; p++) {
		fprintf(f, "$policy%d << END\n", p);
		for (int row = 0; row < v->n; row++) {
			const char *policy = tw__rows_text(&g->rows, row, v->policy);
			if (number_of(&v->policies, policy, strlen(policy)) == p)
				fprintf(f, "%.10g %.10g %.10g %.10g\n", v->real_s[row], v->simulated_s[row],
				        v->low_s[row], v->high_s[row]);
		}
		fputs("END\n", f);
	}
	fprintf(f,
	        "set title 'Makespans; bars: 20 simulations with measured noise and random order'\n"
	        "set xlabel 'real makespan (s)'\nset ylabel 'simulated makespan (s)'\n"
	        "set key outside right top vertical Left reverse\n%s"
	        "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n"
	        "plot x with lines dashtype 2 linecolor rgb 'black' title 'equal'",
	        most_s > 10 * least_s ? "set logscale xy\n" : "", least_s / 1.1, most_s * 1.1, least_s / 1.1,
	        most_s * 1.1);
	for (int p = 0; p < v->policies.n; p++) {
		fprintf(f,
		        ", $policy%d using 1:2:3:4 with yerrorbars pointtype %d linecolor rgb '#%06" PRIx32 "' title ",
		        p, p % 9 + 4, tw__colour_of(p));
		tw__gnuplot_text(f, v->policies.of[p], 30);
	}
	fputs("\nunset logscale\nset yrange [*:*]\n", f);
}

/* Prints the panel with the parts of the difference for each row. Positive and negative parts are stacked
 * separately. */
static void print_parts(const struct tw__figure *g, const struct validation *v)
{
	FILE *f = g->script;
	for (int part = 0; part < N_PARTS; part++) {
		fprintf(f, "$part%d << END\n", part);
		for (int row = 0; row < v->n; row++) {
			double value = 100 * v->parts[part][row], from = 0;
			for (int before = 0; before < part; before++) {
				double other = 100 * v->parts[before][row];
				from += other * value > 0 ? other : 0;
			}
			fprintf(f, "%d %.6g %.6g\n", row, from, from + value);
		}
		fputs("END\n", f);
	}
	fputs("set title 'Parts of the difference between model and real runs'\nunset xlabel\n"
	      "set ylabel '% of the real makespan'\nset xrange [-0.6:*]\nset xtics scale 0 rotate by -35 left (",
	      f);
	int step = v->n / MOST_TICKS + 1;
	for (int row = 0; row < v->n; row += step) {
		char workload[80], text[120];
		tw__cell_label(workload, sizeof workload, &g->rows, row, v->workload, NULL, v->n);
		snprintf(text, sizeof text, "%.60s %.30s", workload, tw__rows_text(&g->rows, row, v->policy));
		fputs(row ? ", " : "", f);
		tw__gnuplot_tick(f, text, 34);
		fprintf(f, " %d", row);
	}
	fputs(")\nset bmargin 9\nplot 0 with lines linecolor rgb 'black' notitle", f);
	for (int part = 0; part < N_PARTS; part++)
		fprintf(f,
		        ", $part%d using 1:2:($1-0.4):($1+0.4):2:3 with boxxyerror fillstyle solid 1 noborder "
		        "linecolor rgb '#%06" PRIx32 "' title '%s'",
		        part, tw__colour_of(part), part_names[part]);
	fputs("\nunset bmargin\n", f);
}

/* Prints the panel of kernels, from cells such as "gemm@cpu=1.02;trsm@cpu=0.99": a point for each ratio. */
static void print_kernels(const struct tw__figure *g, struct validation *v)
{
	FILE *f = g->script;
	fputs("$kernels << END\n", f);
	for (int row = 0; row < v->n; row++)
		for (const char *text = tw__rows_text(&g->rows, row, v->kernel); text && *text;) {
			const char *equals = strchr(text, '='), *end = strchr(text, ';');
			int number = equals ? number_of(&v->kernels, text, (size_t)(equals - text)) : -1;
			double ratio = equals ? strtod(equals + 1, NULL) : NAN;
			if (number >= 0 && isfinite(ratio) && ratio > 0)
				fprintf(f, "%.6g %.6g\n", number + 0.5 * ((row + 0.5) / v->n - 0.5), ratio);
			text = end ? end + 1 : NULL;
		}
	fputs("END\nset title 'Durations of kernels in real runs over those of the model; a point a row'\nset "
	      "ylabel 'real / model'\n"
	      "set xtics scale 0 rotate by -35 left (",
	      f);
	for (int k = 0; k < v->kernels.n; k++) {
		fputs(k ? ", " : "", f);
		tw__gnuplot_tick(f, v->kernels.of[k], 30);
		fprintf(f, " %d", k);
	}
	fprintf(f,
	        ")\nset xrange [-0.6:%d-0.4]\nset bmargin 6\nunset key\n"
	        "plot 1 with lines dashtype 2 linecolor rgb 'black', $kernels using 1:2 with points pointtype 7 "
	        "pointsize 0.5 "
	        "linecolor rgb '#%06" PRIx32 "'\n",
	        v->kernels.n ? v->kernels.n : 1, tw__colour_of(0));
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static int fill(struct tw__figure *g, struct validation *v, struct tw_error *err)
{
	struct {
		const char *column;
		double **values;
	} numbers[] = {{"makespan_real_s", &v->real_s},
	               {"makespan_simulated_s", &v->simulated_s},
	               {"simulated_low_s", &v->low_s},
	               {"simulated_high_s", &v->high_s}};
	int status = TW_OK;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == TW_OK; i++)
		status = tw__figure_numbers(g, numbers[i].column, numbers[i].values, err);
	for (int part = 0; part < N_PARTS && status == TW_OK; part++)
		status = tw__figure_numbers(g, part_columns[part], &v->parts[part], err);
	if (status == TW_OK)
		status = tw__rows_need(&g->rows, "kernels", "plot validation", &v->kernel, err);
	v->workload = tw__rows_column(&g->rows, "workload");
	v->policy = tw__rows_column(&g->rows, "policy");
	v->policies.most = MOST_POLICIES;
	v->kernels.most = MOST_KERNELS;
	for (int row = 0; row < v->n; row++) {
		const char *policy = tw__rows_text(&g->rows, row, v->policy);
		if (status == TW_OK && number_of(&v->policies, policy, strlen(policy)) < 0)
			status = tw_fail(err, TW_INVALID,
			                 "%s: plot validation: more than %d policies: expected fewer, by --where",
			                 g->rows.path, MOST_POLICIES);
	}
	return status;
}

static int print(struct tw__figure *g, struct validation *v, struct tw_error *err)
{
	char title[200];
	const struct tw__figure_style *style = &g->request->style;
	const double least = 0.6 * tw__style_points(style, 1); /* of the usual size, for texts beside each other */
	if (style->width && (style->width < least * WIDTH || style->height < least * HEIGHT))
		return tw_fail(err, TW_INVALID,
		               "plot: %dx%d pixels are too small for plot validation in this font: expected %.0fx%.0f "
		               "at least",
		               style->width, style->height, ceil(least * WIDTH), ceil(least * HEIGHT));
	int status = tw__gnuplot_terminal(g->script, g->request->output, style, WIDTH, HEIGHT, err);
	if (status < 0)
		return status;
	tw__figure_title(g, "Model and reality", title, sizeof title, 1);
	fputs("set border 3 linecolor rgb '#888888'\nset tics nomirror textcolor rgb 'black'\n"
	      "set grid linetype 1 dashtype 1 linecolor rgb '#d4d4d4' linewidth 0.8\nset rmargin 18\nset multiplot "
	      "layout 3,1 title ",
	      g->script);
	tw__gnuplot_text(g->script, title, 150);
	fputc('\n', g->script);
	print_makespans(g, v);
	print_parts(g, v);
	print_kernels(g, v);
	fputs("unset multiplot\n", g->script);
	return TW_OK;
}

int tw__draw_validation(struct tw__figure *g, struct tw_error *err)
{
	struct validation *v = tw__arena_alloc(&g->arena, 1, sizeof *v);
	v->n = g->rows.n_rows;
	int status = fill(g, v, err);
	return status < 0 ? status : print(g, v, err);
}
