/* Charts: figures of results as lines over one axis, or as groups of bars. Their contents, and how to fill and print
 * them. */
#ifndef TW__CHART_H
#define TW__CHART_H
#include <stdio.h>

#include "base/memory.h"
#include "results/rows.h"

enum { TW__MAX_CURVES = 24, TW__MAX_MARKERS = 12, TW__MAX_PANELS = 16, TW__CHART_LABEL = 96 };

/* A point of a line: the mean of n repetitions, with its 95 % confidence interval from `low` to `high`. With one
 * repetition both are the mean. */
struct tw__dot {
	double x, y, low, high;
	int n;
};

struct tw__dots {
	struct tw__dot *of; /* [n] in ascending order of x */
	int n;
};

/* A curve has one label and one look, and a line in each panel. */
struct tw__curve {
	char label[TW__CHART_LABEL];
	bool is_bound;     /* whether the curve is a reference line: dashed, black or grey, without points */
	int policy, other; /* index of the line's policy; index of the combination of its other columns */
	struct tw__dots in[TW__MAX_PANELS];
};

struct tw__marker {
	double x;
	char label[TW__CHART_LABEL];
	char brief[32]; /* says the same where the title of the panel says the rest */
};

struct tw__panel {
	char title[TW__CHART_LABEL];                /* "" if there is one panel */
	struct tw__marker markers[TW__MAX_MARKERS]; /* vertical lines with labels */
	int n_markers;
};

struct tw__chart {
	struct tw__arena *arena; /* has the dots of all curves */
	char title[160], x_label[80], y_label[80];
	struct tw__curve curves[TW__MAX_CURVES];
	int n_curves, n_series;   /* n_series: number of curves that are no bounds */
	int n_policies, n_others; /* number of policies in all rows, drawn or not; of combinations of other columns */
	bool has_several;         /* whether a policy has several lines */
	struct tw__panel panels[TW__MAX_PANELS]; /* panels share both axes */
	int n_panels;
	double x_unit, y_unit; /* the figure shows values divided by these */
	bool x_is_wide;        /* whether the x axis is logarithmic */
	bool x_is_whole;       /* whether the values of x are whole numbers */
	bool y_from_zero;
	bool has_ribbons; /* whether intervals are drawn as areas, not as error bars */
	int most_repetitions;
	/* Bars instead of lines: [n_ticks] names of the groups of bars, which are at x = 0, 1 ... NULL: lines. */
	char (*ticks)[TW__CHART_LABEL];
	int n_ticks;
};

struct tw__facets;
/* Creates an empty chart with one panel. The arena has its memory. */
struct tw__chart *tw__chart_create(struct tw__arena *);

/* Input of tw__chart_add, which adds curves to a chart: one for each combination of values in `columns` (-1s are
 * skipped). Rows whose x or y is NAN are left out.
 * `bound`: NULL for series, else the start of the label of a reference line. A label names only the values that
 * distinguish its line from others. */
struct tw__series_input {
	const struct tw__rows *rows;
	const double *x, *y; /* [rows] values of each row; NAN: none */
	const int *columns;
	int n_columns;
	const char *bound;
	/* Above 0: a dot is the best of its values, and its interval covers the best of them, in this share. */
	double best_share;
	int *line; /* [rows] receives the number of each row's curve, or -1 if it has none; may be NULL */
	/* Rows whose order of policies numbers the policies; NULL: `rows`. */
	const struct tw__rows *of_colours;
	/* Panels, of which each has a line of its own of each curve; NULL: the chart has one panel. */
	const struct tw__facets *facets;
};
int tw__chart_add(struct tw__chart *, const struct tw__series_input *, struct tw_error *err);

/* Writes a cell as labels show it. Of a workload, these are the parameters that some of n rows lack. `among`: these
 * rows; NULL: the first ones. */
void tw__cell_label(char *text, size_t size, const struct tw__rows *, int row, int column, const int *among, int n);

/* Gives lines, groups of bars and panels other names. Each of `names` is "LABEL=NAME", where LABEL is the whole label
 * or a part between commas; the list ends with NULL. TW_INVALID: no label is called that. */
int tw__chart_rename(struct tw__chart *, const char *const *names, struct tw_error *err);

enum { TW__CHART_WIDTH = 1000, TW__CHART_HEIGHT = 600 };
struct tw__figure_request;
/* Writes the chart as gnuplot commands, from the terminal on. TW_INVALID: the request's output has an unknown ending,
 * or its size is too small. */
int tw__chart_print(FILE *script, const struct tw__chart *, const struct tw__figure_request *, struct tw_error *err);

/* The range of an axis, in values. */
struct tw__range {
	double low, high;
};

/* Returns the colour 0xRRGGBB of policy or series number i, from nine colours. Neighbours also differ in brightness, by
 * a fifth of the scale. */
uint32_t tw__colour_of(int i);
/* Texts of the points of a figure, for pages that show them when the pointer is over a point. In the SVG, a point with
 * a text is in a group whose attribute `onmousemove` has the number of the text, as in showHypertext(evt,'17'). */
struct tw__tips {
	char **of; /* [n] texts of one or more lines */
	size_t n, room;
};
void tw__tips_finish(struct tw__tips *);

#endif
