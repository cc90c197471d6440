/* Vertical lines of a chart, with labels beside them. A label stands where it covers no curve, if there is such a
 * place: on the left of its line if possible, then as high as possible. All boxes and points below are shares of the
 * plot's width and height. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "plot/chart_draw.h"

enum { MOST_LETTERS = 60, LABEL_POINTS = 11 };
static const double margin = 0.01;

struct point {
	double x, y;
};

struct box {
	double left, right, low, high;
	bool is_used;
};

struct plot {
	const struct tw__chart *chart;
	int panel;
	struct tw__range x, y;
	double line_height, letter_width; /* of a label, as shares of the canvas's width and height */
	bool is_brief;                    /* whether labels are the brief ones */
	struct box labels[TW__MAX_MARKERS];
};

static double place_x(const struct plot *p, double x)
{
	return p->chart->x_is_wide ? log(x / p->x.low) / log(p->x.high / p->x.low)
	                           : (x - p->x.low) / (p->x.high - p->x.low);
}

static struct point place(const struct plot *p, double x, double y)
{
	return (struct point){place_x(p, x), (y - p->y.low) / (p->y.high - p->y.low)};
}

/* Reduces [t[0], t[1]] to the part in which from + t * step is in [low, high]; false if none remains. */
static bool clip(double from, double step, double low, double high, double t[2])
{
	if (step == 0)
		return from >= low && from <= high;
	double a = (low - from) / step, b = (high - from) / step;
	t[0] = fmax(t[0], fmin(a, b));
	t[1] = fmin(t[1], fmax(a, b));
	return t[0] <= t[1];
}

static bool crosses(const struct box *b, struct point from, struct point to)
{
	double t[2] = {0, 1};
	return clip(from.x, to.x - from.x, b->left, b->right, t) && clip(from.y, to.y - from.y, b->low, b->high, t);
}

/* A box covers a curve if it covers a part of its line, or of an error bar. */
static bool covers(const struct plot *p, const struct box *box, const struct tw__curve *curve)
{
	const struct tw__dots *dots = &curve->in[p->panel];
	for (int i = 0; i < dots->n; i++) {
		const struct tw__dot *d = &dots->of[i], *last = i ? d - 1 : d;
		if (crosses(box, place(p, last->x, last->y), place(p, d->x, d->y)) ||
		    crosses(box, place(p, d->x, d->low), place(p, d->x, d->high)))
			return true;
	}
	return false;
}

static bool overlap(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right && a->low < b->high && b->low < a->high;
}

/* Number of curves and lines of markers that a label would cover. INT_MAX: it would cover another label, or leave the
 * plot. */
static int covered(const struct plot *p, const struct box *box)
{
	const struct tw__chart *c = p->chart;
	const struct tw__panel *panel = &c->panels[p->panel];
	int n = 0;
	if (box->left < 0 || box->right > 1)
		return INT_MAX;
	for (int i = 0; i < panel->n_markers; i++) {
		double x = place_x(p, panel->markers[i].x);
		if (p->labels[i].is_used && overlap(box, &p->labels[i]))
			return INT_MAX;
		n += x > box->left && x < box->right;
	}
	for (int i = 0; i < c->n_curves; i++)
		n += covers(p, box, &c->curves[i]);
	return n;
}

/* Whether the brief labels tell the markers of a panel from each other. */
static bool are_distinct(const struct tw__panel *panel)
{
	for (int i = 0; i < panel->n_markers; i++)
		for (int j = 0; j < i; j++)
			if (!strcmp(panel->markers[i].brief, panel->markers[j].brief))
				return false;
	return true;
}

static const char *label_of(const struct plot *p, const struct tw__marker *m)
{
	return p->is_brief ? m->brief : m->label;
}

/* Returns the place that covers the least; it is not used if there is none. */
static struct box find_place(const struct plot *p, const struct tw__marker *m, bool *right)
{
	double x = place_x(p, m->x),
	       length = p->letter_width * fmin((double)strlen(label_of(p, m)), MOST_LETTERS) + 2 * margin;
	struct box best = {0};
	int least = INT_MAX;
	for (int side = 0; side < 2; side++)
		for (double high = 1; high >= length && least > 0; high -= margin) {
			struct box box = {.left = side ? x + 0.1 * p->line_height : x - p->line_height,
			                  .right = side ? x + p->line_height : x - 0.1 * p->line_height,
			                  .low = high - length,
			                  .high = high,
			                  .is_used = true};
			int n = covered(p, &box);
			if (n < least) {
				least = n;
				best = box;
				*right = side;
			}
		}
	return best;
}

void tw__chart_print_markers(FILE *f, const struct tw__chart *c, const struct tw__axes *axes, int panel,
                             const struct tw__canvas *canvas)
{
	double scale = canvas->points / TW__FONT_POINTS;
	struct plot p = {.chart = c,
	                 .panel = panel,
	                 .is_brief = c->n_panels > 1 && are_distinct(&c->panels[panel]),
	                 .x = axes->x,
	                 .y = axes->y,
	                 .line_height = 22 * scale / canvas->width,
	                 .letter_width = 5.8 * scale / canvas->height};
	fputs("set style textbox opaque noborder margins 0.4,0.2 fillcolor rgb 'white'\n", f);
	for (int i = 0; i < c->panels[panel].n_markers; i++) {
		const struct tw__marker *m = &c->panels[panel].markers[i];
		bool right = false;
		if (m->x < axes->x.low || m->x > axes->x.high)
			continue;
		fprintf(f,
		        "set arrow from first %.10g, graph 0 to first %.10g, graph 1 nohead dashtype 3 "
		        "linewidth 1.2 linecolor rgb '#555555' back\n",
		        m->x / c->x_unit, m->x / c->x_unit);
		p.labels[i] = find_place(&p, m, &right);
		if (!p.labels[i].is_used)
			continue;
		fputs("set label ", f);
		tw__gnuplot_text(f, label_of(&p, m), MOST_LETTERS);
		fprintf(f,
		        " at first %.10g, graph %.2f rotate by 90 right offset character %s,0 "
		        "textcolor rgb '#555555' font ',%g' front boxed\n",
		        m->x / c->x_unit, p.labels[i].high - margin, right ? "1.2" : "-1.2", LABEL_POINTS * scale);
	}
}
