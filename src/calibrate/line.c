#include "calibrate/line.h"

#include <math.h>

#include <gsl/gsl_fit.h>

enum { MOST_POINTS = 64 };

void tw__line_fit(struct tw__line *line, const struct tw__copy_time *points, int n)
{
	double x[MOST_POINTS] = {0}, y[MOST_POINTS] = {0}, weights[MOST_POINTS] = {0};
	double latency, per_byte, cov00, cov01, cov11, chi2;
	n = n > MOST_POINTS ? MOST_POINTS : n;
	for (int i = 0; i < n; i++) {
		x[i] = points[i].bytes;
		y[i] = points[i].seconds;
		weights[i] = 1 / (y[i] * y[i]);
	}
	gsl_fit_wlinear(x, 1, weights, 1, y, 1, (size_t)n, &latency, &per_byte, &cov00, &cov01, &cov11, &chi2);
	if (latency < 0) {
		latency = 0;
		gsl_fit_wmul(x, 1, weights, 1, y, 1, (size_t)n, &per_byte, &cov11, &chi2);
	}
	*line = (struct tw__line){.latency_s = latency, .bandwidth = 1 / per_byte};
	for (int i = 0; i < n; i++) {
		double fitted_s = latency + per_byte * x[i];
		line->residual = fmax(line->residual, fabs(y[i] - fitted_s) / fitted_s);
	}
}
