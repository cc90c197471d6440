/* The axes and the legend of a chart: ranges of values, ticks, labels of curves, and the room that they need. */
#include <math.h>

#include "plot/chart_draw.h"

enum { SAMPLE = 50 }; /* the sample of a line in the legend, with the spaces around, in pixels */

static void include(struct tw__range *r, double value)
{
	r->low = fmin(r->low, value);
	r->high = fmax(r->high, value);
}

static struct tw__range x_range(const struct tw__chart *c)
{
	if (c->ticks)
		return (struct tw__range){-0.6 * c->x_unit, (c->n_ticks - 0.4) * c->x_unit};
	struct tw__range r = {INFINITY, -INFINITY};
	for (int i = 0; i < c->n_curves; i++)
		for (int panel = 0; panel < c->n_panels; panel++)
			for (int k = 0; k < c->curves[i].in[panel].n; k++)
				include(&r, c->curves[i].in[panel].of[k].x);
	if (r.low > r.high)
		r = (struct tw__range){0, c->x_unit};
	if (c->x_is_wide && r.low > 0)
		return (struct tw__range){r.low / 1.2, r.high * 1.2};
	double margin = r.high > r.low ? 0.04 * (r.high - r.low) : 0.1 * fabs(r.high) + 1e-300;
	return (struct tw__range){fmax(r.low - margin, 0), r.high + margin};
}

/* Returns the least and the greatest y of a curve in all panels. */
static struct tw__range heights(const struct tw__chart *c, const struct tw__curve *curve)
{
	struct tw__range r = {INFINITY, -INFINITY};
	for (int panel = 0; panel < c->n_panels; panel++)
		for (int k = 0; k < curve->in[panel].n; k++)
			include(&r, curve->in[panel].of[k].y);
	return r;
}

/* Returns the range of the y axis. Bounds may lie far above the measured values: they are cut at twice the largest
 * value. */
static struct tw__range y_range(const struct tw__chart *c)
{
	struct tw__range r = {INFINITY, -INFINITY};
	for (int i = 0; i < c->n_curves; i++)
		for (int panel = 0; panel < c->n_panels && !c->curves[i].is_bound; panel++)
			for (int k = 0; k < c->curves[i].in[panel].n; k++) {
				include(&r, c->curves[i].in[panel].of[k].low);
				include(&r, c->curves[i].in[panel].of[k].high);
			}
	if (r.low > r.high)
		return (struct tw__range){0, c->y_unit};
	double most = fmax(2 * r.high, 1e-300);
	for (int i = 0; i < c->n_curves; i++) {
		struct tw__range of = heights(c, &c->curves[i]);
		if (!c->curves[i].is_bound || of.low > most)
			continue;
		include(&r, of.low);
		include(&r, fmin(of.high, most));
	}
	if (c->y_from_zero)
		r.low = 0;
	double margin = r.high > r.low ? 0.05 * (r.high - r.low) : 0.1 * fabs(r.high) + 1e-300;
	return (struct tw__range){c->y_from_zero ? 0 : r.low - margin, r.high + margin};
}

struct tw__axes tw__chart_axes(const struct tw__chart *c, const struct tw__figure_style *style)
{
	struct tw__axes axes = {x_range(c), y_range(c)};
	if (style->has_low)
		axes.y.low = style->low * c->y_unit;
	if (style->has_high)
		axes.y.high = style->high * c->y_unit;
	if (axes.y.low >= axes.y.high) { /* the end that is not given follows the other */
		double size = fmax(fabs(style->has_low ? axes.y.low : axes.y.high), c->y_unit);
		if (style->has_low)
			axes.y.high = axes.y.low + 2 * size;
		else
			axes.y.low = axes.y.high - size;
	}
	return axes;
}

void tw__chart_print_ranges(FILE *f, const struct tw__chart *c, const struct tw__axes *axes)
{
	if (c->x_is_wide)
		fputs("set logscale x 2\n", f);
	fprintf(f, "set xrange [%.10g:%.10g]\n", axes->x.low / c->x_unit, axes->x.high / c->x_unit);
	fprintf(f, "set yrange [%.10g:%.10g]\n", axes->y.low / c->y_unit, axes->y.high / c->y_unit);
}

void tw__chart_label(char label[TW__LEGEND_LABEL], const struct tw__chart *c, const struct tw__axes *axes, int i)
{
	const struct tw__curve *curve = &c->curves[i];
	struct tw__range of = heights(c, curve);
	snprintf(label, TW__LEGEND_LABEL, "%s%s", curve->label,
	         !curve->is_bound         ? ""
	         : of.low > axes->y.high  ? " (above)"
	         : of.high > axes->y.high ? " (partly above)"
	                                  : "");
}

/* --- ticks -------------------------------------------------------------------------------------------------------- */

/* Names of groups of bars that would touch stand at an angle, the steeper the closer they are. Steps between numbers
 * are so large that they do not touch. */
enum { MOST_LETTERS = 40, LEAST_DEGREES = 25 };
static const double least_gap = 8, line_spacing = 1.4;

struct tw__tick_space tw__chart_tick_space(const struct tw__chart *c, double width, double points)
{
	double spacing = width / c->n_ticks, longest = 0;
	for (int i = 0; i < c->n_ticks; i++)
		longest = fmax(longest, (double)tw__text_length(c->ticks[i]));
	longest = tw__text_width((size_t)fmin(longest, MOST_LETTERS), points);
	if (longest + least_gap <= spacing)
		return (struct tw__tick_space){.height = 1.7 * points};
	double angle = asin(fmin(1, line_spacing * points / spacing));
	angle = fmax(angle, LEAST_DEGREES * M_PI / 180);
	return (struct tw__tick_space){.degrees = (int)ceil(angle * 180 / M_PI),
	                               .height = longest * sin(angle) + 1.7 * points,
	                               .beyond = fmax(0, longest * cos(angle) - spacing / 2)};
}

void tw__chart_print_ticks(FILE *f, const struct tw__chart *c, const struct tw__tick_space *space, double points)
{
	fputs("set xtics scale 0 ", f);
	if (space->degrees)
		fprintf(f, "rotate by -%d left ", space->degrees);
	fprintf(f, "font ',%g' textcolor rgb 'black' (", points);
	for (int i = 0; i < c->n_ticks; i++) {
		fputs(i ? ", " : "", f);
		tw__gnuplot_tick(f, c->ticks[i], MOST_LETTERS);
		fprintf(f, " %d", i);
	}
	fputs(")\n", f);
}

/* Numbers from `first` to `last`, each `step` more than the one before, or `step` times as much on a logarithmic
 * axis. */
struct numbers {
	double first, step, last;
};

/* An axis: its range, its length in pixels, and the font's size. */
struct axis {
	double low, high, length, points, overhang;
	bool is_wide, is_upright; /* logarithmic; with numbers above each other */
};

static double place(const struct axis *a, double x)
{
	return a->length * (a->is_wide ? log(x / a->low) / log(a->high / a->low) : (x - a->low) / (a->high - a->low));
}

/* Half of the pixels that a number takes along the axis. */
static double half_of(const struct axis *a, double x)
{
	char text[32];
	if (a->is_upright)
		return 0.5 * line_spacing * a->points;
	return 0.5 * tw__text_width((size_t)snprintf(text, sizeof text, "%g", x), a->points);
}

static double next(const struct axis *a, const struct numbers *n, double x)
{
	return a->is_wide ? x * n->step : x + n->step;
}

/* Leaves out numbers that stand out too far at the ends. Returns whether at least `least` numbers are left, with space
 * between. */
static bool fit(const struct axis *a, struct numbers *n, int least)
{
	const double tiny = 1e-9 * n->step, gap = a->is_upright ? 0 : least_gap;
	double before = -INFINITY, last = NAN;
	int count = 0;
	n->first = a->is_wide ? exp2(ceil(log2(a->low) - 1e-9)) : n->step * ceil((a->low - tiny) / n->step);
	while (place(a, n->first) < half_of(a, n->first) - a->overhang && n->first < a->high)
		n->first = next(a, n, n->first);
	for (double x = n->first; x <= a->high + (a->is_wide ? 1e-9 * x : tiny); x = next(a, n, x)) {
		double at = place(a, x), half = half_of(a, fabs(x) < tiny ? 0 : x);
		if (at + half > a->length + a->overhang)
			break;
		if (at - half < before + gap)
			return false;
		before = at + half;
		last = x;
		count++;
	}
	n->last = last;
	return count >= least;
}

/* Steps go up until the numbers fit: 1, 2, 5, 10 ... times a power of ten, or powers of two. The first step gives at
 * most about ten numbers. */
static struct numbers choose(const struct axis *a, bool is_whole)
{
	static const double multiples[] = {1, 2, 5};
	struct numbers n = {a->low, a->high - a->low, a->low};
	const double span = a->high - a->low, power = pow(10, floor(log10(span / 10)));
	for (int least = 2; least > 0; least--)
		for (int i = 0; i < 30; i++) {
			const int tens = i / 3;
			n.step = a->is_wide ? exp2(i + 1) : multiples[i % 3] * power * pow(10, tens);
			if (!a->is_wide && (n.step < span / 10 || n.step > span || (is_whole && n.step < 1)))
				continue;
			if (fit(a, &n, least))
				return n;
		}
	return n;
}

static void print_numbers(FILE *f, char axis, const struct numbers *n)
{
	fprintf(f, "set %ctics %.10g,%.10g,%.10g\n", axis, n->first, n->step, n->last);
}

void tw__chart_space_numbers(FILE *f, const struct tw__chart *c, const struct tw__axes *axes,
                             const struct tw__canvas *canvas, double overhang)
{
	struct axis x = {axes->x.low / c->x_unit,
	                 axes->x.high / c->x_unit,
	                 canvas->width,
	                 canvas->points,
	                 overhang,
	                 c->x_is_wide,
	                 false};
	struct axis y = {axes->y.low / c->y_unit,
	                 axes->y.high / c->y_unit,
	                 canvas->height,
	                 canvas->points,
	                 canvas->points,
	                 false,
	                 true};
	struct numbers of_x = choose(&x, c->x_is_whole), of_y = choose(&y, false);
	if (!c->ticks)
		print_numbers(f, 'x', &of_x);
	print_numbers(f, 'y', &of_y);
}

/* --- the legend --------------------------------------------------------------------------------------------------- */

double tw__text_width(size_t letters, double points) { return 0.6 * points * (double)letters; }

double tw__chart_legend_width(const struct tw__chart *c, const struct tw__axes *axes, double points)
{
	size_t longest = 0;
	for (int i = 0; i < c->n_curves; i++) {
		char label[TW__LEGEND_LABEL];
		tw__chart_label(label, c, axes, i);
		size_t length = tw__text_length(label);
		longest = length > longest ? length : longest;
	}
	longest = longest < TW__MOST_LEGEND ? longest : TW__MOST_LEGEND;
	return (double)SAMPLE / TW__FONT_POINTS * points + tw__text_width(longest, points);
}

void tw__chart_print_key(FILE *f, enum tw__legend legend)
{
	static const char *const places[] = {
		[TW__LEGEND_RIGHT] = "outside right top vertical",
		[TW__LEGEND_BELOW] = "outside bottom center horizontal",
		[TW__LEGEND_ABOVE] = "outside top center horizontal",
		[TW__LEGEND_TOP_LEFT] = "inside left top vertical opaque",
		[TW__LEGEND_TOP_RIGHT] = "inside right top vertical opaque",
		[TW__LEGEND_BOTTOM_LEFT] = "inside left bottom vertical opaque",
		[TW__LEGEND_BOTTOM_RIGHT] = "inside right bottom vertical opaque",
		[TW__LEGEND_NONE] = NULL,
	};
	if (places[legend])
		fprintf(f, "set key %s Left reverse samplen 2.5 spacing 1.15\n", places[legend]);
	else
		fputs("unset key\n", f);
}
