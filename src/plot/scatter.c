/* Scatter plots. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plot/chart.h"
#include "plot/plot.h"

enum { WIDTH = 960, HEIGHT = 760, N_FORMS = 6, N_COLOURS = 9, N_STEPS = 200 };

/* Both axes. */
struct axes {
	struct tw__range range;
	bool wide; /* whether they are logarithmic */
};

static struct axes axes_of(const struct tw__scatter *s)
{
	struct tw__range r = {INFINITY, -INFINITY};
	for (int i = 0; i < s->n_series; i++)
		for (int k = 0; k < s->series[i].n; k++) {
			const struct tw__scatter_point *p = &s->series[i].points[k];
			r.low = fmin(r.low, fmin(p->x, p->y));
			r.high = fmax(r.high, fmax(p->x, p->y));
		}
	if (r.low > r.high)
		return (struct axes){{0, 1}, false};
	if (r.low > 0 && r.high > 10 * r.low)
		return (struct axes){{r.low / 1.25, r.high * 1.25}, true};
	double margin = r.high > r.low ? 0.06 * (r.high - r.low) : 0.1 * fabs(r.high) + 1e-300;
	return (struct axes){{r.low >= 0 ? fmax(0, r.low - margin) : r.low - margin, r.high + margin}, false};
}

static bool is_in_band(const struct tw__scatter *s, const struct tw__scatter_point *p)
{
	return fabs(p->y - p->x) <= s->band * fabs(p->x);
}

/* Confidence intervals may reach below 0, where a logarithmic axis has no place: they end at the axis. */
static void print_points(FILE *f, const struct tw__scatter *s, struct axes axes)
{
	for (int i = 0; i < s->n_series; i++) {
		fprintf(f, "$series%d << END\n", i);
		for (int k = 0; k < s->series[i].n; k++) {
			const struct tw__scatter_point *p = &s->series[i].points[k];
			double dx = isfinite(p->x_half) ? p->x_half : 0, dy = isfinite(p->y_half) ? p->y_half : 0;
			double least = axes.wide ? axes.range.low : -INFINITY;
			fprintf(f, "%.10g %.10g %.10g %.10g %.10g %.10g\n", p->x, p->y, fmax(p->x - dx, least),
			        p->x + dx, fmax(p->y - dy, least), p->y + dy);
		}
		fputs("END\n", f);
	}
}

static bool has_intervals(const struct tw__scatter_series *s)
{
	for (int k = 0; k < s->n; k++)
		if (s->points[k].x_half > 0 || s->points[k].y_half > 0)
			return true;
	return false;
}

static void print_title(FILE *f, const struct tw__scatter *s)
{
	int n = 0, n_in_band = 0;
	bool intervals = false;
	char title[200];
	for (int i = 0; i < s->n_series; i++)
		intervals |= has_intervals(&s->series[i]);
	for (int i = 0; i < s->n_series; i++)
		for (int k = 0; k < s->series[i].n; k++, n++)
			n_in_band += is_in_band(s, &s->series[i].points[k]);
	snprintf(title, sizeof title, "%d of %d points differ by at most %.3g %% (grey band)%s", n_in_band, n,
	         100 * s->band, intervals ? "; error bars: 95 % confidence" : "");
	fputs("set title ", f);
	tw__gnuplot_text(f, title, 150);
	putc('\n', f);
}

/* Lines of x, the lower and the upper edge of the band, cut to the axes: gnuplot misplaces areas that leave them. */
static void print_band(FILE *f, const struct tw__scatter *s, struct axes axes)
{
	double low = axes.range.low, high = axes.range.high;
	fputs("$band << END\n", f);
	for (int i = 0; i <= N_STEPS; i++) {
		double part = (double)i / N_STEPS;
		double x = axes.wide ? low * pow(high / low, part) : low + part * (high - low);
		double edge = x - s->band * fabs(x), other_edge = x + s->band * fabs(x);
		fprintf(f, "%.10g %.10g %.10g\n", x, fmax(edge, low), fmin(other_edge, high));
	}
	fputs("END\n", f);
}

/* Labels 1, 2 and 5 of each decade; over many decades, gnuplot's own ticks suffice. */
static void print_ticks(FILE *f, struct tw__range r)
{
	if (r.high > 1e3 * r.low)
		return;
	fputs("set tics (", f);
	const char *between = "";
	for (double decade = pow(10, floor(log10(r.low))); decade <= r.high; decade *= 10)
		for (int i = 0; i < 3; i++) {
			double tick = decade * (const int[]){1, 2, 5}[i];
			if (tick < r.low || tick > r.high)
				continue;
			fprintf(f, "%s%.10g", between, tick);
			between = ", ";
		}
	fputs(")\n", f);
}

static void print_axes(FILE *f, const struct tw__scatter *s, struct axes axes)
{
	struct tw__range r = axes.range;
	fprintf(f,
	        "set border 3 linecolor rgb '#888888'\nset tics nomirror textcolor rgb 'black'\n"
	        "set grid linetype 1 dashtype 1 linecolor rgb '#d4d4d4' linewidth 0.8\n"
	        "set key outside right top vertical Left reverse samplen 1.5 spacing 1.15\nset size ratio 1\n%s"
	        "set format '%%g'\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\nset xlabel ",
	        axes.wide ? "set logscale xy\n" : "", r.low, r.high, r.low, r.high);
	tw__gnuplot_text(f, s->x_label, 80);
	fputs("\nset ylabel ", f);
	tw__gnuplot_text(f, s->y_label, 80);
	putc('\n', f);
}

static int write_script(void *scatter, FILE *f, struct tw_error *err)
{
	/* gnuplot's filled forms; the number before each is the same form, open. */
	static const int forms[N_FORMS] = {7, 5, 9, 11, 13, 15};
	const struct tw__scatter *s = scatter;
	struct axes axes = axes_of(s);
	int status = tw__gnuplot_terminal(f, s->output, NULL, WIDTH, HEIGHT, err);
	if (status < 0)
		return status;
	print_points(f, s, axes);
	print_title(f, s);
	print_axes(f, s, axes);
	if (axes.wide)
		print_ticks(f, axes.range);
	print_band(f, s, axes);
	fputs("plot $band using 1:2:3 with filledcurves fillstyle solid 1 noborder fillcolor rgb '#e4e4e4' notitle, "
	      "$band using 1:1 with lines linewidth 1.4 dashtype 2 linecolor rgb 'black' title 'equal'",
	      f);
	for (int i = 0; i < s->n_series; i++)
		if (has_intervals(&s->series[i]))
			fprintf(f,
			        ", $series%d using 1:2:3:4:5:6 with xyerrorbars pointtype 0 linewidth 1.2 "
			        "linecolor rgb '#%06" PRIx32 "' notitle",
			        i, tw__colour_of(i));
	for (int i = 0; i < s->n_series; i++) {
		int form = forms[(i + i / N_COLOURS) % N_FORMS] - (i / (N_COLOURS * 2)) % 2;
		fprintf(f,
		        ", $series%d using 1:2 with points pointtype %d pointsize 0.9 linecolor rgb '#%06" PRIx32
		        "' title ",
		        i, form, tw__colour_of(i));
		tw__gnuplot_text(f, s->series[i].name, 30);
	}
	putc('\n', f);
	return TW_OK;
}

int tw__plot_scatter(struct tw__scatter *s, struct tw_error *err)
{
	return tw__draw(&tw__gnuplot, s->output, false, write_script, s, err);
}
