/* Scatter plots: one measure of many points on two sides, with the diagonal where both are equal. */
#ifndef TW__SCATTER_H
#define TW__SCATTER_H

#include <tilewright/base.h>

/* Half the width of the confidence interval of each value; NAN or 0: none is drawn. */
struct tw__scatter_point {
	double x, y, x_half, y_half;
};

/* Points of one colour and form. */
struct tw__scatter_series {
	const char *name;
	struct tw__scatter_point *points;
	int n;
};

struct tw__scatter {
	const char *x_label, *y_label;
	struct tw__scatter_series *series;
	int n_series;
	const char *output;
	double band; /* half the width of the grey band around the diagonal, as a part of x: 0.1 */
};

/* Draws the points, the diagonal and the band. Both axes have the same range; they are logarithmic if all values are
 * positive and the greatest exceeds ten times the least. The title counts the points in the band. The ending of
 * `output` chooses the format, as for all figures. TW_INVALID: unknown ending. TW_FAILED: gnuplot is not installed or
 * fails, or `output` cannot be written. */
int tw__plot_scatter(struct tw__scatter *, struct tw_error *err);

#endif
