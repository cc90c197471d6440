/* Writes a chart as gnuplot commands: the ranges of the axes, and a figure with one panel. */
#include "plot/chart_draw.h"

#include <math.h>

enum {
	MOST_TITLE_LINES = 3,
	SAMPLE = 50, /* the sample of a line in the legend, with the spaces around, in pixels */
	LEFT = 84,   /* the y axis's label and numbers */
	RIGHT = 14,  /* beside the plot, without a legend */
	BELOW = 48,  /* numbers and label of the x axis */
	ENTRY = 20,  /* height of an entry of the legend, and of a line of the title */
	LEAST_AXIS = 60
};

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

/* --- a figure with one panel -------------------------------------------------------------------------------------- */

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

/* The parts of a figure with one panel, in pixels. gnuplot sets the margins; these are about what it comes to. */
struct parts {
	double width, height, scale;
	double left, right; /* ends of the x axis */
	double y_length;    /* of the y axis */
	int title_letters;  /* in a line of the title, which is above the middle of the x axis */
};

static int measure(struct parts *p, const struct tw__chart *c, const struct tw__figure_style *style,
                   const struct tw__axes *axes, struct tw_error *err)
{
	const double points = tw__style_points(style, TW__FONT_POINTS), letter = tw__text_width(1, points);
	/* gnuplot takes letters of a legend for wider than they are. */
	const double legend = 1.15 * tw__chart_legend_width(c, axes, points) + ENTRY * points / TW__FONT_POINTS;
	const bool is_beside = style->legend == TW__LEGEND_RIGHT;
	const bool is_across = style->legend == TW__LEGEND_BELOW || style->legend == TW__LEGEND_ABOVE;
	p->width = style->width ? style->width : TW__CHART_WIDTH;
	p->height = style->height ? style->height : TW__CHART_HEIGHT;
	p->scale = points / TW__FONT_POINTS;
	p->left = LEFT * p->scale;
	p->right = p->width - (is_beside ? legend : RIGHT * p->scale);
	const double middle = (p->left + p->right) / 2, in_row = fmax(1, floor(p->width / legend));
	p->title_letters = (int)(2 * fmin(middle, p->width - middle) / letter);
	const int title = tw__gnuplot_lines(NULL, c->title, p->title_letters, MOST_TITLE_LINES);
	const double entries = is_across ? ceil(c->n_curves / in_row) : 0;
	p->y_length = p->height - ((title + entries + 0.5) * ENTRY + BELOW) * p->scale;
	if (p->right - p->left < LEAST_AXIS || p->y_length < LEAST_AXIS ||
	    (is_beside && c->n_curves * ENTRY * p->scale > p->y_length + BELOW * p->scale))
		return tw_fail(err, TW_INVALID,
		               "plot: %.0fx%.0f pixels are too small for the legend and the title in this font: "
		               "expected a larger --size, or --legend none",
		               p->width, p->height);
	return TW_OK;
}

static int print_one(FILE *f, const struct tw__chart *c, const struct tw__figure_request *request, struct tw_error *err)
{
	const struct tw__figure_style *style = &request->style;
	struct tw__axes axes = tw__chart_axes(c, style);
	struct parts p;
	int status = measure(&p, c, style, &axes, err);
	if (status == TW_OK)
		status = tw__style_terminal(f, request->output, style, TW__CHART_WIDTH, TW__CHART_HEIGHT, err);
	if (status < 0)
		return status;
	struct tw__canvas canvas = {p.right - p.left, p.y_length, p.scale * TW__FONT_POINTS};
	tw__chart_print_dots(f, c, request->tips);
	fputs("set border 3 linecolor rgb '#888888'\nset tics nomirror textcolor rgb 'black'\n"
	      "set grid ytics linetype 1 dashtype 1 linecolor rgb '#d4d4d4' linewidth 0.8\n",
	      f);
	tw__chart_print_key(f, style->legend);
	fputs("set title ", f);
	tw__gnuplot_lines(f, c->title, p.title_letters, MOST_TITLE_LINES);
	putc('\n', f);
	tw__chart_print_ranges(f, c, &axes);
	fputs("set format '%g'\n", f);
	tw__chart_space_numbers(f, c, &axes, &canvas, RIGHT * p.scale);
	if (c->ticks)
		tw__chart_print_ticks(f, c, &(struct tw__tick_space){0}, canvas.points);
	fputs("set xlabel ", f);
	tw__gnuplot_text(f, c->x_label, 80);
	fputs("\nset ylabel ", f);
	tw__gnuplot_text(f, c->y_label, 80);
	putc('\n', f);
	tw__chart_print_markers(f, c, &axes, 0, &canvas);
	tw__chart_plot(f, c, &axes, 0, style->legend != TW__LEGEND_NONE, request->tips);
	return TW_OK;
}

int tw__chart_print(FILE *f, const struct tw__chart *c, const struct tw__figure_request *request, struct tw_error *err)
{
	const struct tw__figure_style *style = &request->style;
	double width = 0.65 * (style->width ? style->width : TW__CHART_WIDTH);
	bool are_names_at_angle =
		c->ticks && tw__chart_tick_space(c, width, tw__style_points(style, TW__FONT_POINTS)).degrees > 0;
	return (c->n_panels > 1 || are_names_at_angle ? tw__chart_print_panels : print_one)(f, c, request, err);
}
