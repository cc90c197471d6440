/* The axes and the legend of a chart: the ranges of values, the labels of curves, and the room that they need. */
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
