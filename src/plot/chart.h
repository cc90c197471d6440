/* Figures of results as lines over one axis: their contents, and how to fill them. */
#ifndef TW__CHART_H
#define TW__CHART_H

#include <stdio.h>

#include "experiment/rows.h"

enum { TW__MAX_CURVES = 24, TW__MAX_MARKERS = 12, TW__CHART_LABEL = 96 };

/* Mean of repetitions with its 95 % confidence interval; with one repetition both ends are the mean. */
struct tw__dot {
	double x, y, low, high;
	int n;
};

struct tw__curve {
	char label[TW__CHART_LABEL];
	bool is_bound;        /* a reference line: dashed, black or grey, without points */
	int policy, other;    /* of series: index of the policy; index of the combination of all other columns */
	struct tw__dot *dots; /* ascending x */
	int n_dots;
};

struct tw__chart {
	char title[160], x_label[80], y_label[80];
	struct tw__curve curves[TW__MAX_CURVES];
	int n_curves, n_series;   /* series: curves that are no bounds */
	int n_policies, n_others; /* policies of all rows, drawn or not */
	bool has_several;         /* some policy has several lines */
	struct tw__marker {
		double x;
		char label[TW__CHART_LABEL];
	} markers[TW__MAX_MARKERS]; /* vertical lines */
	int n_markers;
	double x_unit, y_unit; /* printed values are divided by these */
	bool x_is_wide;        /* logarithmic */
	bool y_from_zero;
	bool has_ribbons; /* intervals are drawn as areas */
	int most_repetitions;
};

void tw__chart_finish(struct tw__chart *);

/* Adds curves of the rows' values: one for each combination of the columns (-1s are skipped). NANs are left out.
 * The column `workload` is compared without sizes: without nt, or without all numeric parameters if there is no nt. So
 * one line has all sizes. -1: sizes are compared, too.
 * `bound`: NULL for series, else the start of the label. A label names only the values that distinguish its line from
 * others. */
struct tw__series_input {
	const struct tw__rows *rows;
	const double *x, *y; /* [rows] */
	const int *columns;
	int n_columns, workload;
	const char *bound;
	double best_share; /* above 0: a dot is the best value; its interval is this share of the best */
	int *line;         /* [rows] or NULL: receives the line of each row; -1: none */
};
int tw__chart_add(struct tw__chart *, const struct tw__series_input *, struct tw_error *err);

/* The workload without its sizes: "cholesky:nb=960" for "cholesky:nt=20:nb=960". The caller frees it; NULL: out of
 * memory. */
char *tw__workload_family(const char *workload);
/* Its name, and those of its parameters that some of the others lack. */
void tw__workload_apart(char *text, size_t size, const char *workload, const char *const *others, int n_others);

/* "500 MiB", "1.5 GiB". */
const char *tw__memory_text(char *text, size_t size, double bytes);

/* The text of one column's value in a label: "2 GPUs", "500 MiB a GPU". */
void tw__column_text(char *text, size_t size, const char *column, const char *value);

enum { TW__CHART_WIDTH = 1000, TW__CHART_HEIGHT = 600 };
/* Writes gnuplot commands; the terminal must be set before. */
void tw__chart_print(FILE *script, const struct tw__chart *);

/* Of an axis, in values. */
struct tw__range {
	double low, high;
};
/* Writes the commands of the markers within the ranges. */
void tw__chart_print_markers(FILE *script, const struct tw__chart *, struct tw__range x, struct tw__range y);

/* 0xRRGGBB of a policy or a series, from nine colours. Neighbours also differ in brightness, by a fifth of the
 * scale. */
uint32_t tw__colour_of(int i);
/* Colour in a chart without lines, which has no dashes: by policy, unless policies have several series. */
uint32_t tw__colour_of_area(const struct tw__chart *, const struct tw__curve *, int series);

#endif
