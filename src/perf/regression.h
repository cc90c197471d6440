/* Laws for a kernel's time as a function of the size of its data (Augonnet 2011, section 3.5.2 and appendix B),
 * fitted with GSL. */
#ifndef TW__REGRESSION_H
#define TW__REGRESSION_H

#include <tilewright/base.h>

enum tw__law { TW__AFFINE, TW__POWER, TW__POWER_OFFSET, TW__N_LAWS };

/* A measured mean; both numbers are above 0. */
struct tw__point {
	double s; /* size in bytes */
	double t; /* time, in any unit */
};

/* A parameter and its 95 % confidence interval. */
struct tw__parameter {
	double value, low, high;
};

struct tw__fit {
	enum tw__law law;
	struct tw__parameter a, b, c; /* c: only for TW__POWER_OFFSET */
	/* The part of the times' variance that the law explains, each point weighted by 1/law^2; NAN: all times are
	 * equal. */
	double r2;
	double residual; /* standard deviation of the points around the law, relative to the law */
};

const char *tw__law_text(enum tw__law); /* "a*s^b+c" */
int tw__law_needs(enum tw__law);        /* required number of distinct sizes: one more than parameters */

/* Fits the law to the points by least relative errors, so small and large sizes count the same. Errors are relative
 * to the law's own times, from the previous round of the fit. Errors relative to measured times would favour points
 * that are low by chance. TW_INVALID: too few sizes, the points do not follow the law, or times fall with the size
 * over the whole confidence interval. The message gives the reason, as in "a*s+b: ...". */
int tw__fit(struct tw__fit *, enum tw__law, const struct tw__point *, int n, struct tw_error *err);

/* The law's time for that size; 0 or less outside the range of validity. */
double tw__fit_time(const struct tw__fit *, double s);

#endif
