/* Laws that give a kernel's time from the size of its data (Augonnet 2011, section 3.5.2 and appendix B), fitted with GSL. */
#ifndef TW__REGRESSION_H
#define TW__REGRESSION_H

#include <tilewright/base.h>

enum tw__law { TW__AFFINE, TW__POWER, TW__POWER_OFFSET, TW__N_LAWS };

/* A measured mean. Both above 0. */
struct tw__point {
	double s; /* size: bytes */
	double t; /* time, in whatever unit */
};

/* A parameter and its 95 % confidence interval. */
struct tw__parameter {
	double value, low, high;
};

struct tw__fit {
	enum tw__law law;
	struct tw__parameter a, b, c; /* c of TW__POWER_OFFSET alone */
	double r2; /* part of the variance of the times that the law explains, each point weighing 1/law^2; NAN: all are equal */
	double residual; /* standard deviation of the points around the law, as a part of it */
};

const char *tw__law_text(enum tw__law); /* "a*s^b+c" */
int tw__law_needs(enum tw__law);        /* different sizes: one more than parameters */

/* Fits the law to the points so that their relative errors are least: those of the smallest size count as much as those of the
 * greatest. Relative to the law's own times, which the fits before gave: parts of measured times would favour what came out short. TW_INVALID: too few sizes, no such law is near the points, or it falls, as its whole interval says; the message says why, in the form "a*s+b:
 * ...". */
int tw__fit(struct tw__fit *, enum tw__law, const struct tw__point *, int n, struct tw_error *err);

/* The law's time for that size; may be 0 or less where the law holds no longer. */
double tw__fit_time(const struct tw__fit *, double s);

#endif
