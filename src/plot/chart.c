/* Writes a chart as gnuplot commands. Small multiples are panels in a grid, which share both axes and one legend. Only
 * the panels at the left and at the bottom have numbers at their axes. The labels of the axes stand once, in the
 * middle. */
#include <math.h>
#include <string.h>

#include "plot/chart_draw.h"

/* Sizes in pixels, with a font of the usual size. */
enum {
	MOST_TITLE_LINES = 3,
	LEFT = 84,         /* the label of the y axis, and its numbers */
	RIGHT_OF_ONE = 14, /* beside a single panel, without a legend */
	BELOW = 48,        /* numbers and label of the x axis, below a single panel */
	LEAST_AXIS = 60,
	ENTRY = 20, /* height of an entry of the legend */
	RIGHT = 18, /* from here on, sizes of small multiples */
	TITLE_LINE = 20,
	PANEL_TITLE = 24,
	BETWEEN = 22, /* space between two columns of panels */
	NUMBERS = 22, /* below the lowest panels */
	X_LABEL = 24,
	TICK_POINTS = 11 /* of the names of groups of bars */
};

/* --- one panel ---------------------------------------------------------------------------------------------------- */

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
	p->right = p->width - (is_beside ? legend : RIGHT_OF_ONE * p->scale);
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
	tw__chart_space_numbers(f, c, &axes, &canvas, RIGHT_OF_ONE * p.scale);
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

/* --- small multiples ---------------------------------------------------------------------------------------------- */

struct layout {
	const struct tw__chart *chart;
	const struct tw__figure_style *style;
	bool has_tips; /* whether points have texts */
	double scale;  /* size of the font, as a multiple of the usual one */
	int columns, rows, title_lines;
	int legend_columns;
	double width, height, panel_width, panel_height, legend_width, legend_height;
	double panel_title;          /* height of a panel's title */
	double left, top;            /* of the first panel */
	struct tw__tick_space ticks; /* of bars */
};

static int columns_of(int n_panels)
{
	return n_panels <= 3 ? n_panels : n_panels == 4 ? 2 : n_panels <= 6 || n_panels == 9 ? 3 : 4;
}

static bool is_in_corner(enum tw__legend legend)
{
	return legend >= TW__LEGEND_TOP_LEFT && legend <= TW__LEGEND_BOTTOM_RIGHT;
}

static bool is_across(enum tw__legend legend) { return legend == TW__LEGEND_BELOW || legend == TW__LEGEND_ABOVE; }

/* Divides the width of the figure. */
static void lay_out_columns(struct layout *l, double right)
{
	/* Widths of panels by the number of columns, unless the user gives that of the figure. */
	static const double widths[] = {0, 560, 330, 280, 250};
	double beside = l->style->legend == TW__LEGEND_RIGHT ? l->legend_width : 0;
	double around = l->left + (l->columns - 1) * l->scale * BETWEEN + fmax(l->scale * RIGHT + beside, right);
	double width = l->chart->n_panels > 1 ? around + l->columns * widths[l->columns] * l->scale : TW__CHART_WIDTH;
	l->width = ceil(l->style->width ? l->style->width : width);
	l->panel_width = (l->width - around) / l->columns;
	if (l->chart->ticks)
		l->ticks = tw__chart_tick_space(l->chart, l->panel_width, l->scale * TICK_POINTS);
}

/* Divides the height of the figure. */
static void lay_out_rows(struct layout *l, double points)
{
	static const double heights[] = {0, 340, 220, 190, 170};
	const struct tw__chart *c = l->chart;
	enum tw__legend legend = l->style->legend;
	l->legend_columns = (int)fmax(1, fmin(c->n_curves, (l->width - 20) / (1.15 * l->legend_width)));
	int legend_rows = (c->n_curves + l->legend_columns - 1) / l->legend_columns;
	l->legend_height = l->scale * ENTRY * legend_rows + 12;
	l->title_lines =
		tw__gnuplot_lines(NULL, c->title, (int)(l->width / tw__text_width(1, points)), MOST_TITLE_LINES);
	l->top = l->scale * (12 + l->title_lines * TITLE_LINE + l->panel_title);
	l->top += legend == TW__LEGEND_ABOVE ? l->legend_height : 0;
	double below = c->ticks ? l->ticks.height + 8 : l->scale * (NUMBERS + X_LABEL);
	below += legend == TW__LEGEND_BELOW ? l->legend_height : 0;
	double around = l->top + (l->rows - 1) * l->scale * (l->panel_title + 8) + below;
	l->height = c->n_panels > 1 ? around + l->rows * heights[l->rows] * l->scale : TW__CHART_HEIGHT;
	if (legend == TW__LEGEND_RIGHT)
		l->height = fmax(l->height, l->top + (c->n_curves + 1) * l->scale * ENTRY);
	l->height = ceil(l->style->height ? l->style->height : l->height);
	l->panel_height = (l->height - around) / l->rows;
}

static int lay_out(struct layout *l, const struct tw__axes *axes, struct tw_error *err)
{
	double points = tw__style_points(l->style, TW__FONT_POINTS);
	l->scale = points / TW__FONT_POINTS;
	l->columns = columns_of(l->chart->n_panels);
	l->rows = (l->chart->n_panels + l->columns - 1) / l->columns;
	l->left = l->scale * LEFT;
	l->panel_title = l->chart->n_panels > 1 ? PANEL_TITLE : 0;
	l->legend_width = tw__chart_legend_width(l->chart, axes, points);
	lay_out_columns(l, 0);
	lay_out_columns(l, l->ticks.beyond + 8);
	lay_out_rows(l, points);
	if (l->panel_width < LEAST_AXIS || l->panel_height < LEAST_AXIS)
		return tw_fail(
			err, TW_INVALID,
			"plot: %.0fx%.0f pixels are too small for %d panel%s with legend and title in this font: "
			"expected a larger --size",
			l->width, l->height, l->chart->n_panels, l->chart->n_panels == 1 ? "" : "s");
	return TW_OK;
}

/* Left edge of a column of panels, and upper edge of a row, in pixels. */
static double left_of(const struct layout *l, int column)
{
	return l->left + column * (l->panel_width + l->scale * BETWEEN);
}

static double top_of(const struct layout *l, int row)
{
	return l->top + row * (l->panel_height + l->scale * (l->panel_title + 8));
}

static void print_at(FILE *f, const struct layout *l, double x, double y)
{
	fprintf(f, "screen %.6g, screen %.6g", x / l->width, 1 - y / l->height);
}

/* Prints the title and the labels of the axes, as labels of the whole figure. */
static void print_labels(FILE *f, const struct layout *l)
{
	const struct tw__chart *c = l->chart;
	double points = tw__style_points(l->style, TW__FONT_POINTS);
	double right = left_of(l, l->columns - 1) + l->panel_width;
	double bottom = top_of(l, l->rows - 1) + l->panel_height;
	fputs("set label ", f);
	tw__gnuplot_lines(f, c->title, (int)(l->width / tw__text_width(1, points)), MOST_TITLE_LINES);
	fputs(" at ", f);
	print_at(f, l, l->width / 2, l->scale * (4 + TITLE_LINE / 2.));
	fputs(" center\nset label ", f);
	tw__gnuplot_text(f, c->x_label, 80);
	fputs(" at ", f);
	print_at(f, l, (l->left + right) / 2, bottom + l->scale * (NUMBERS + X_LABEL / 2.));
	fputs(" center\nset label ", f);
	tw__gnuplot_text(f, c->y_label, 80);
	fputs(" at ", f);
	print_at(f, l, l->scale * 16, (l->top + bottom) / 2);
	fputs(" center rotate\n", f);
}

static void print_margins(FILE *f, const struct layout *l, double left, double right, double top, double bottom)
{
	fprintf(f, "set lmargin at screen %.6g\nset rmargin at screen %.6g\n", left / l->width, right / l->width);
	fprintf(f, "set tmargin at screen %.6g\nset bmargin at screen %.6g\n", 1 - top / l->height,
	        1 - bottom / l->height);
}

/* Prints the legend, as the key of an empty plot that lies where the legend is. */
static void print_legend(FILE *f, const struct layout *l, const struct tw__axes *axes)
{
	enum tw__legend legend = l->style->legend;
	double above = l->top - l->scale * l->panel_title;
	if (legend == TW__LEGEND_NONE)
		return;
	if (is_in_corner(legend))
		print_margins(f, l, l->left, l->left + l->panel_width, l->top, l->top + l->panel_height);
	else if (legend == TW__LEGEND_RIGHT)
		print_margins(f, l, l->width - l->legend_width - 4, l->width - 4, l->top - 6, l->height);
	else if (legend == TW__LEGEND_BELOW)
		print_margins(f, l, 4, l->width - 4, l->height - l->legend_height, l->height);
	else
		print_margins(f, l, 4, l->width - 4, above - l->legend_height, above);
	fputs("unset border\nunset xtics\nunset ytics\nunset grid\nset title ''\n", f);
	if (is_across(legend))
		fprintf(f, "set key inside center center horizontal maxcols %d Left reverse samplen 2.5 spacing 1.15\n",
		        l->legend_columns);
	else if (legend == TW__LEGEND_RIGHT)
		fprintf(f, "set key inside left top vertical maxrows %d Left reverse samplen 2.5 spacing 1.15\n",
		        l->chart->n_curves);
	else
		tw__chart_print_key(f, legend);
	tw__chart_plot_legend(f, l->chart, axes);
}

static void print_panel(FILE *f, const struct layout *l, const struct tw__axes *axes, int panel)
{
	int column = panel % l->columns, row = panel / l->columns;
	bool is_lowest = panel + l->columns >= l->chart->n_panels;
	double left = left_of(l, column), top = top_of(l, row);
	/* The labels of markers are smaller than in a figure with one panel. */
	struct tw__canvas canvas = {l->panel_width, l->panel_height, l->scale * TW__FONT_POINTS * 10 / 11};
	print_margins(f, l, left, left + l->panel_width, top, top + l->panel_height);
	fprintf(f, "set format x '%s'\nset format y '%s'\n", is_lowest ? "%g" : "", column ? "" : "%g");
	if (l->chart->ticks && is_lowest)
		tw__chart_print_ticks(f, l->chart, &l->ticks, l->scale * TICK_POINTS);
	else if (l->chart->ticks)
		fputs("unset xtics\n", f);
	fputs("set title ", f);
	tw__gnuplot_text(f, l->chart->panels[panel].title, (int)(l->panel_width / tw__text_width(1, l->scale * 12)));
	fprintf(f, " offset 0,-0.6 font ',%g'\n", l->scale * 12);
	if (panel == 0)
		print_labels(f, l);
	tw__chart_print_markers(f, l->chart, axes, panel, &canvas);
	tw__chart_plot(f, l->chart, axes, panel, false, l->has_tips);
	fputs("unset label\nunset arrow\n", f);
}

static int print_panels(FILE *f, const struct tw__chart *c, const struct tw__figure_request *request,
                        struct tw_error *err)
{
	struct layout l = {.chart = c, .style = &request->style, .has_tips = request->tips};
	struct tw__axes axes = tw__chart_axes(c, l.style);
	int status = lay_out(&l, &axes, err);
	if (status == TW_OK)
		status = tw__gnuplot_terminal(f, request->output, l.style, (int)l.width, (int)l.height, err);
	if (status < 0)
		return status;
	tw__chart_print_dots(f, c, request->tips);
	fputs("set multiplot\nunset key\n"
	      "set border 3 linecolor rgb '#888888'\nset tics nomirror textcolor rgb 'black'\n"
	      "set grid ytics linetype 1 dashtype 1 linecolor rgb '#d4d4d4' linewidth 0.8\n",
	      f);
	tw__chart_print_ranges(f, c, &axes);
	const struct tw__canvas canvas = {l.panel_width, l.panel_height, l.scale * TW__FONT_POINTS};
	tw__chart_space_numbers(f, c, &axes, &canvas, l.scale * BETWEEN / 2 - 2);
	for (int panel = 0; panel < c->n_panels; panel++)
		print_panel(f, &l, &axes, panel);
	print_legend(f, &l, &axes);
	fputs("unset multiplot\n", f);
	return TW_OK;
}

int tw__chart_print(FILE *f, const struct tw__chart *c, const struct tw__figure_request *request, struct tw_error *err)
{
	const struct tw__figure_style *style = &request->style;
	double width = 0.65 * (style->width ? style->width : TW__CHART_WIDTH);
	bool are_names_at_angle =
		c->ticks && tw__chart_tick_space(c, width, tw__style_points(style, TW__FONT_POINTS)).degrees > 0;
	return (c->n_panels > 1 || are_names_at_angle ? print_panels : print_one)(f, c, request, err);
}
