/* Writes a chart as gnuplot commands: a figure with one panel. */
#include "plot/chart_draw.h"

#include <math.h>

enum {
	MOST_TITLE_LINES = 3,
	LEFT = 84,  /* the y axis's label and numbers */
	RIGHT = 14, /* beside the plot, without a legend */
	BELOW = 48, /* numbers and label of the x axis */
	ENTRY = 20, /* height of an entry of the legend, and of a line of the title */
	LEAST_AXIS = 60
};

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
		status = tw__gnuplot_terminal(f, request->output, style, TW__CHART_WIDTH, TW__CHART_HEIGHT, err);
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
