/* Figures of results as lines over one axis: what they hold, and how it gets there. */
#ifndef TW__CHART_H
#define TW__CHART_H

#include <stdio.h>

#include "experiment/rows.h"

enum { TW__MAX_CURVES = 24, TW__MAX_MARKERS = 12, TW__CHART_LABEL = 96 };

/* A mean of repetitions, and its 95 % confidence interval (both ends the mean where there is one repetition). */
struct tw__dot {
	double x, y, low, high;
	int n;
};

struct tw__curve {
	char label[TW__CHART_LABEL];
	bool is_bound;        /* a line to compare with: dashed, black or grey, without points */
	int policy, other;    /* of series: which of the rows' policies, which of the combinations of all else */
	struct tw__dot *dots; /* ascending x */
	int n_dots;
};

struct tw__chart {
	char title[160], x_label[80], y_label[80];
	struct tw__curve curves[TW__MAX_CURVES];
	int n_curves, n_series;   /* series: those that are no bounds */
	int n_policies, n_others; /* policies of all rows, drawn or not */
	bool has_several;         /* lines of one policy */
	struct tw__marker {
		double x;
		char label[TW__CHART_LABEL];
	} markers[TW__MAX_MARKERS]; /* vertical lines */
	int n_markers;
	double x_unit, y_unit; /* values are divided by these when printed */
	bool x_is_wide;        /* logarithmic */
	bool y_from_zero;
	bool has_ribbons; /* intervals are shown as areas */
	int most_repetitions;
};

void tw__chart_finish(struct tw__chart *);

/* Lines of the rows' values: one for each combination of the columns (-1s are skipped). `workload`: the column of workloads, of which
 * sizes (nt, or all parameters) are left out, so that one line has all of them; -1: they are compared whole. Labels name what tells the
 * lines apart, and no more; `bound`: NULL for series, else what begins the label. NANs are left out. */
struct tw__series_input {
	const struct tw__rows *rows;
	const double *x, *y; /* [rows] */
	const int *columns;
	int n_columns, workload;
	const char *bound;
	double best_share; /* above 0: a dot is the best value of its x, and its interval that share of the best ones */
	int *line;         /* [rows] if not NULL: is set to the line that each row is in; -1: none */
};
int tw__chart_add(struct tw__chart *, const struct tw__series_input *, struct tw_error *err);

/* A workload without its sizes: "cholesky:nt=20:nb=960" is "cholesky:nb=960"; freed by the caller, NULL: out of memory. */
char *tw__workload_family(const char *workload);
/* Its name, and those of its parameters that not all of the others have. */
void tw__workload_apart(char *text, size_t size, const char *workload, const char *const *others, int n_others);

/* "500 MiB", "1.5 GiB". */
const char *tw__memory_text(char *text, size_t size, double bytes);

/* The part of a label that one column's value is: "2 GPUs", "500 MiB a GPU". */
void tw__column_text(char *text, size_t size, const char *column, const char *value);

enum { TW__CHART_WIDTH = 1000, TW__CHART_HEIGHT = 600 };
/* gnuplot's commands, behind the terminal's. */
void tw__chart_print(FILE *script, const struct tw__chart *);

/* 0xRRGGBB of the i-th of nine, a policy or a series: neighbours differ in grey by a fifth of the scale, too. */
uint32_t tw__colour_of(int i);
/* Of a chart without lines, where dashes cannot help: by policy, unless policies have several series. */
uint32_t tw__colour_of_area(const struct tw__chart *, const struct tw__curve *, int series);

#endif
