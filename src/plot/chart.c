/* Writes a chart as gnuplot commands. */
#include "plot/chart.h"

#include <inttypes.h>
#include <math.h>

#include "plot/plot.h"
#include "trace/palette.h"

enum { N_DASHES = 4, N_FORMS = 6 };

uint32_t tw__colour_of(int i)
{
	static const int order[TW__N_COLOURS] = {4, 1, 3, 6, 8, 0, 5, 2, 7};
	return tw__colours[order[i % TW__N_COLOURS]];
}

uint32_t tw__colour_of_area(const struct tw__chart *c, const struct tw__curve *curve, int series)
{
	return tw__colour_of(c->n_policies > 1 && !c->has_several ? curve->policy : series);
}

struct look {
	uint32_t colour;
	int dash, point;
};

static struct look look(int colour, int dash, int form, bool open)
{
	/* gnuplot's point types; the number before each is the same form, open. */
	static const int filled[N_FORMS] = {7, 5, 9, 11, 13, 15};
	static const int dashes[N_DASHES] = {1, 2, 4, 5};
	return (struct look){tw__colour_of(colour), dashes[dash % N_DASHES], filled[form % N_FORMS] - open};
}

/* Chooses the look of a line. With several policies, colour and form of the points show the policy. If a policy has
 * several lines, dashes and filled or open points distinguish them. If these combinations are too few, or there is one
 * policy, each line gets its own look. */
static struct look look_of(const struct tw__chart *c, const struct tw__curve *curve, int series)
{
	bool enough = c->n_policies > 1 && c->n_policies <= TW__N_COLOURS && c->n_others <= 2 * N_DASHES;
	if (enough && c->has_several)
		return look(curve->policy, curve->other, curve->policy, curve->other % 2 ^ curve->other / N_DASHES);
	if (enough)
		return look(curve->policy, curve->policy / 2, curve->policy, curve->policy >= N_FORMS);
	return look(series, series / 2 + series / TW__N_COLOURS, series, series / N_FORMS % 2);
}

static void include(struct tw__range *r, double value)
{
	r->low = fmin(r->low, value);
	r->high = fmax(r->high, value);
}

static struct tw__range x_range(const struct tw__chart *c)
{
	struct tw__range r = {INFINITY, -INFINITY};
	for (int i = 0; i < c->n_curves; i++)
		for (int k = 0; k < c->curves[i].n_dots; k++)
			include(&r, c->curves[i].dots[k].x);
	if (r.low > r.high)
		r = (struct tw__range){0, c->x_unit};
	if (c->x_is_wide && r.low > 0)
		return (struct tw__range){r.low / 1.2, r.high * 1.2};
	double margin = r.high > r.low ? 0.04 * (r.high - r.low) : 0.1 * fabs(r.high) + 1e-300;
	return (struct tw__range){fmax(r.low - margin, 0), r.high + margin};
}

static bool is_above(const struct tw__curve *curve, double high)
{
	for (int k = 0; k < curve->n_dots; k++)
		if (curve->dots[k].y <= high)
			return false;
	return true;
}

static bool is_partly_above(const struct tw__curve *curve, double high)
{
	for (int k = 0; k < curve->n_dots; k++)
		if (curve->dots[k].y > high)
			return true;
	return false;
}

/* Returns the range of the y axis. Bounds may lie far above the measured values: they are cut at twice the largest
 * value. */
static struct tw__range y_range(const struct tw__chart *c)
{
	struct tw__range r = {INFINITY, -INFINITY};
	for (int i = 0; i < c->n_curves; i++)
		for (int k = 0; k < c->curves[i].n_dots && !c->curves[i].is_bound; k++) {
			include(&r, c->curves[i].dots[k].low);
			include(&r, c->curves[i].dots[k].high);
		}
	if (r.low > r.high)
		return (struct tw__range){0, c->y_unit};
	double most = fmax(2 * r.high, 1e-300);
	for (int i = 0; i < c->n_curves; i++)
		for (int k = 0; k < c->curves[i].n_dots && c->curves[i].is_bound && !is_above(&c->curves[i], most); k++)
			include(&r, fmin(c->curves[i].dots[k].y, most));
	if (c->y_from_zero)
		r.low = 0;
	double margin = r.high > r.low ? 0.05 * (r.high - r.low) : 0.1 * fabs(r.high) + 1e-300;
	return (struct tw__range){c->y_from_zero ? 0 : r.low - margin, r.high + margin};
}

static void print_dots(FILE *f, const struct tw__chart *c)
{
	for (int i = 0; i < c->n_curves; i++) {
		fprintf(f, "$curve%d << END\n", i);
		for (int k = 0; k < c->curves[i].n_dots; k++) {
			const struct tw__dot *d = &c->curves[i].dots[k];
			fprintf(f, "%.10g %.10g %.10g %.10g\n", d->x / c->x_unit, d->y / c->y_unit, d->low / c->y_unit,
			        d->high / c->y_unit);
		}
		fputs("END\n", f);
	}
}

static void print_axis(FILE *f, char axis, const char *label, struct tw__range r, double unit)
{
	fprintf(f, "set %crange [%.10g:%.10g]\nset %clabel ", axis, r.low / unit, r.high / unit, axis);
	tw__gnuplot_text(f, label, 80);
	putc('\n', f);
}

/* Draws the confidence intervals, as areas or as error bars. Error bars are solid even if the lines are dashed. */
static void print_bars(FILE *f, const struct tw__chart *c)
{
	for (int i = 0, series = 0; i < c->n_curves && c->has_ribbons; i++)
		if (!c->curves[i].is_bound)
			fprintf(f,
			        ", $curve%d using 1:3:4 with filledcurves fillstyle transparent solid 0.3 noborder "
			        "fillcolor rgb '#%06" PRIx32 "' notitle",
			        i, look_of(c, &c->curves[i], series++).colour);
	for (int i = 0, series = 0; i < c->n_curves && c->most_repetitions > 1 && !c->has_ribbons; i++)
		if (!c->curves[i].is_bound)
			fprintf(f,
			        ", $curve%d using 1:3:(0):($4>$3?$4-$3:NaN) with vectors heads size screen 0.004,90 "
			        "fixed linewidth 1.2 linecolor rgb '#%06" PRIx32 "' notitle",
			        i, look_of(c, &c->curves[i], series++).colour);
}

void tw__chart_print(FILE *f, const struct tw__chart *c)
{
	struct tw__range x = x_range(c), y = y_range(c);
	static const int bound_dashes[] = {2, 4, 5, 3};
	print_dots(f, c);
	fputs("set border 3 linecolor rgb '#888888'\nset tics nomirror textcolor rgb 'black'\n"
	      "set grid ytics linetype 1 dashtype 1 linecolor rgb '#d4d4d4' linewidth 0.8\n"
	      "set key outside right top vertical Left reverse samplen 2.5 spacing 1.15\nset title ",
	      f);
	tw__gnuplot_text(f, c->title, 150);
	putc('\n', f);
	if (c->x_is_wide)
		fputs("set logscale x 2\n", f);
	print_axis(f, 'x', c->x_label, x, c->x_unit);
	print_axis(f, 'y', c->y_label, y, c->y_unit);
	tw__chart_print_markers(f, c, x, y);
	int n_series = 0, n_bounds = 0;
	for (int i = 0; i < c->n_curves; i++) {
		const struct tw__curve *curve = &c->curves[i];
		fprintf(f, "%s $curve%d ", i ? "," : "plot", i);
		if (curve->is_bound) {
			fprintf(f, "using 1:2 with %s linewidth 1.6 dashtype %d linecolor rgb '#%s'",
			        curve->n_dots > 1 ? "lines" : "points pointtype 1 pointsize 1.4",
			        bound_dashes[n_bounds % 4], n_bounds / 4 % 2 ? "777777" : "000000");
			n_bounds++;
		} else {
			struct look look = look_of(c, curve, n_series++);
			fprintf(f,
			        "using 1:2 with linespoints linewidth 1.8 dashtype %d pointtype %d pointsize 0.8 "
			        "linecolor rgb '#%06" PRIx32 "'",
			        look.dash, look.point, look.colour);
		}
		char label[TW__CHART_LABEL + 20];
		snprintf(label, sizeof label, "%s%s", curve->label,
		         !curve->is_bound                 ? ""
		         : is_above(curve, y.high)        ? " (above)"
		         : is_partly_above(curve, y.high) ? " (partly above)"
		                                          : "");
		fputs(" title ", f);
		tw__gnuplot_text(f, label, 44);
	}
	print_bars(f, c);
	fputs(c->n_curves ? "\n" : "plot NaN notitle\n", f);
}
