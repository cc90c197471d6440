/* Writes the curves of a chart: their points, their looks as lines or bars, and the command that plots a panel. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plot/chart_draw.h"
#include "trace/palette.h"

enum { N_DASHES = 4, N_FORMS = 6 };

uint32_t tw__colour_of(int i)
{
	static const int order[TW__N_COLOURS] = {4, 1, 3, 0, 5, 2, 6, 8, 7};
	return tw__colours[order[i % TW__N_COLOURS]];
}

/* Returns the colour of a curve in a chart without lines, where dashes cannot distinguish curves. Colours show
 * policies, unless policies have several series. */
static uint32_t colour_of_area(const struct tw__chart *c, const struct tw__curve *curve, int series)
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
	static const int filled[N_FORMS] = {7, 5, 9, 13, 11, 15};
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
		return look(curve->policy, curve->policy, curve->policy, curve->policy >= N_FORMS);
	return look(series, series + series / TW__N_COLOURS, series, series / N_FORMS % 2);
}

/* --- texts of points ---------------------------------------------------------------------------------------------- */

/* Prints "working set: 3.1 GB" for the label "working set: the workload's data (GB)" of an axis. `half`: half the
 * width of an interval; 0: there is none. */
static void print_value(FILE *f, const char *label, double value, double half)
{
	const char *unit = strrchr(label, '('), *end = unit ? strchr(unit, ')') : NULL;
	bool has_unit = end && !end[1] && unit > label;
	int name = (int)strcspn(label, ":");
	if (has_unit && label + name > unit)
		name = (int)(unit - label) - 1;
	fprintf(f, "\n%.*s: %.5g", name, label, value);
	if (half > 0)
		fprintf(f, " ± %.2g", half);
	if (has_unit)
		fprintf(f, " %.*s", (int)(end - unit) - 1, unit + 1);
	if (half > 0)
		fputs(" (95 % confidence)", f);
}

static void print_tip(FILE *f, const struct tw__chart *c, int curve, int panel, const struct tw__dot *d)
{
	const char *title = c->panels[panel].title;
	fprintf(f, "%s%s%s", c->curves[curve].label, *title ? ", " : "", title);
	if (c->ticks)
		fprintf(f, "\n%s", c->ticks[(int)(d->x + 0.5)]);
	else
		print_value(f, c->x_label, d->x / c->x_unit, 0);
	print_value(f, c->y_label, d->y / c->y_unit, c->has_ribbons ? 0 : (d->high - d->y) / c->y_unit);
	if (c->has_ribbons)
		fprintf(f, "\nthe best of %d configuration%s", d->n, d->n == 1 ? "" : "s");
	else
		fprintf(f, "\n%d repetition%s", d->n, d->n == 1 ? "" : "s");
}

/* Adds the text of a point of a chart: its curve and panel, x, y with the confidence interval, and the number of
 * repetitions. Returns its number. */
static size_t add_tip(struct tw__tips *t, const struct tw__chart *c, int curve, int panel, const struct tw__dot *d)
{
	size_t size;
	TW_RESERVE(t->of, t->room, t->n + 1);
	FILE *f = tw__text_open(&t->of[t->n], &size);
	print_tip(f, c, curve, panel, d);
	tw__text_close(f);
	return t->n++;
}

void tw__tips_finish(struct tw__tips *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->of[i]);
	free(t->of);
}

/* --- curves ------------------------------------------------------------------------------------------------------- */

/* Writes the name of the data of a curve in a panel. */
static void print_name(FILE *f, const struct tw__chart *c, int curve, int panel)
{
	fprintf(f, "$curve%d", curve);
	if (c->n_panels > 1)
		fprintf(f, "_%d", panel);
}

/* Width of a bar; the bars of a group have no space between them. */
static double bar_width(const struct tw__chart *c) { return 0.8 / (c->n_series > 0 ? c->n_series : 1); }

static void print_dots(FILE *f, const struct tw__chart *c, int curve, int panel, double shift, struct tw__tips *tips)
{
	const struct tw__dots *dots = &c->curves[curve].in[panel];
	if (dots->n == 0)
		return;
	print_name(f, c, curve, panel);
	fputs(" << END\n", f);
	for (int k = 0; k < dots->n; k++) {
		const struct tw__dot *d = &dots->of[k];
		fprintf(f, "%.10g %.10g %.10g %.10g", d->x / c->x_unit + shift, d->y / c->y_unit, d->low / c->y_unit,
		        d->high / c->y_unit);
		if (tips)
			fprintf(f, " %zu", add_tip(tips, c, curve, panel, d));
		putc('\n', f);
	}
	fputs("END\n", f);
}

void tw__chart_print_dots(FILE *f, const struct tw__chart *c, struct tw__tips *tips)
{
	for (int i = 0, nth = 0; i < c->n_curves; i++) {
		bool is_bar = c->ticks && !c->curves[i].is_bound;
		double shift = is_bar ? (nth++ - (c->n_series - 1) / 2.0) * bar_width(c) : 0;
		for (int panel = 0; panel < c->n_panels; panel++)
			print_dots(f, c, i, panel, shift, c->curves[i].is_bound ? NULL : tips);
	}
}

/* Writes how a line is drawn. `nth`: its number among the bounds, or among the others. `is_point`: a bound that has
 * one point is a cross. */
static void print_line(FILE *f, const struct tw__chart *c, const struct tw__curve *curve, int nth, bool is_point)
{
	static const int bound_dashes[] = {2, 4, 5, 3};
	struct look look = look_of(c, curve, nth);
	if (curve->is_bound)
		fprintf(f, "with %s linewidth 1.6 dashtype %d linecolor rgb '#%s'",
		        is_point ? "points pointtype 1 pointsize 1.4" : "lines", bound_dashes[nth % 4],
		        nth / 4 % 2 ? "777777" : "000000");
	else
		fprintf(f,
		        "with linespoints linewidth 1.8 dashtype %d pointtype %d pointsize 0.8 "
		        "linecolor rgb '#%06" PRIx32 "'",
		        look.dash, look.point, look.colour);
}

/* A bound is a line over each group. `has_dots`: false for the legend alone. */
static void print_bar(FILE *f, const struct tw__chart *c, const struct tw__curve *curve, int nth, bool has_dots)
{
	if (curve->is_bound)
		fprintf(f, "with %s dashtype 2 linewidth 1.6 linecolor rgb 'black'",
		        has_dots ? "vectors nohead" : "lines");
	else
		fprintf(f,
		        "with boxes fillstyle solid 1 border rgb 'black' linewidth 0.6 fillcolor rgb '#%06" PRIx32 "'",
		        colour_of_area(c, curve, nth));
}

/* Writes the columns of the data of a curve: those of a line, a bar, or a bound of a group of bars. */
static void print_columns(FILE *f, const struct tw__chart *c, const struct tw__curve *curve)
{
	if (!c->ticks)
		fputs(" using 1:2 ", f);
	else if (curve->is_bound)
		fputs(" using ($1-0.45):2:(0.9):(0) ", f);
	else
		fprintf(f, " using 1:2:(%.6g) ", 0.94 * bar_width(c));
}

/* Draws the confidence intervals, as areas or as error bars. Error bars are solid even if the lines are dashed. */
static void print_intervals(FILE *f, const struct tw__chart *c, int panel)
{
	for (int i = 0, series = 0; i < c->n_curves; i++) {
		const struct tw__curve *curve = &c->curves[i];
		if (curve->is_bound)
			continue;
		uint32_t colour = c->ticks ? 0x888888 : look_of(c, curve, series++).colour;
		if (curve->in[panel].n == 0 || !(c->has_ribbons || c->most_repetitions > 1))
			continue;
		fputs(", ", f);
		print_name(f, c, i, panel);
		if (c->has_ribbons)
			fputs(" using 1:3:4 with filledcurves fillstyle transparent solid 0.3 noborder fillcolor", f);
		else
			fprintf(f,
			        " using 1:3:(0):($4>$3?$4-$3:NaN) with vectors heads size screen 0.004,90 fixed "
			        "linewidth %g linecolor",
			        c->ticks ? 1.6 : 1.2);
		fprintf(f, " rgb '#%06" PRIx32 "' notitle", colour);
	}
}

static void print_curve_title(FILE *f, const struct tw__chart *c, const struct tw__axes *axes, int curve)
{
	char label[TW__LEGEND_LABEL];
	tw__chart_label(label, c, axes, curve);
	fputs(" title ", f);
	tw__gnuplot_text(f, label, TW__MOST_LEGEND);
}

static void print_look(FILE *f, const struct tw__chart *c, const struct tw__curve *curve, int nth, int n_dots)
{
	if (c->ticks)
		print_bar(f, c, curve, nth, n_dots > 0);
	else
		print_line(f, c, curve, nth, n_dots == 1);
}

static void print_tips(FILE *f, const struct tw__chart *c, int panel)
{
	for (int i = 0; i < c->n_curves; i++) {
		if (c->curves[i].is_bound || c->curves[i].in[panel].n == 0)
			continue;
		fputs(", ", f);
		print_name(f, c, i, panel);
		fputs(" using 1:2:5 with labels hypertext point pointtype 7 pointsize 2 notitle", f);
	}
}

void tw__chart_plot(FILE *f, const struct tw__chart *c, const struct tw__axes *axes, int panel, bool has_titles,
                    bool has_tips)
{
	int n_series = 0, n_bounds = 0;
	const char *before = "plot ";
	for (int i = 0; i < c->n_curves; i++) {
		const struct tw__curve *curve = &c->curves[i];
		int nth = curve->is_bound ? n_bounds++ : n_series++;
		if (curve->in[panel].n == 0)
			continue;
		fputs(before, f);
		before = ", ";
		print_name(f, c, i, panel);
		print_columns(f, c, curve);
		print_look(f, c, curve, nth, curve->in[panel].n);
		if (has_titles)
			print_curve_title(f, c, axes, i);
		else
			fputs(" notitle", f);
	}
	if (*before == 'p')
		fputs("plot NaN notitle", f);
	print_intervals(f, c, panel);
	if (has_tips)
		print_tips(f, c, panel);
	putc('\n', f);
}

void tw__chart_plot_legend(FILE *f, const struct tw__chart *c, const struct tw__axes *axes)
{
	for (int i = 0, n_series = 0, n_bounds = 0; i < c->n_curves; i++) {
		fputs(i ? ", NaN " : "plot NaN ", f);
		print_look(f, c, &c->curves[i], c->curves[i].is_bound ? n_bounds++ : n_series++, 0);
		print_curve_title(f, c, axes, i);
	}
	putc('\n', f);
}
