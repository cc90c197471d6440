/* Laws for a kernel's time as a function of the size of its data (Augonnet 2011, section 3.5.2 and appendix B),
 * fitted with GSL. */
#ifndef TW__REGRESSION_H
#define TW__REGRESSION_H

#include <tilewright/base.h>

enum tw__law { TW__AFFINE, TW__POWER, TW__POWER_OFFSET, TW__N_LAWS };

/* A measured mean time of a kernel, and the size of the kernel's data. Both numbers are above 0. */
struct tw__point {
	double s; /* size of the kernel's data, in bytes */
	double t; /* mean time, in any unit */
};

/* A parameter of a law, and its 95 % confidence interval. */
struct tw__parameter {
	double value, low, high;
};

struct tw__fit {
	enum tw__law law;
	struct tw__parameter a, b, c; /* a, b and c of the law's text; c only for TW__POWER_OFFSET */
	/* The part of the variance of the times that the law explains. Each point has the weight 1/t^2, with the law's
	 * time t. NAN: all times are equal. */
	double r2;
	double residual; /* standard deviation of the times around the law, relative to the law */
};

const char *tw__law_text(enum tw__law); /* returns the formula of the law, such as "a*s^b+c" */

/* Fits the law to the points by least relative errors, so small and large sizes count the same. Errors are relative to
 * the law's own times, from the previous round of the fit. Errors relative to measured times would favour points that
 * are low by chance. TW_INVALID: too few sizes, the points do not follow the law, or times fall with the size over the
 * whole confidence interval. The message gives the reason, as in "a*s+b: ...". */
int tw__fit(struct tw__fit *, enum tw__law, const struct tw__point *, int n, struct tw_error *err);

/* Returns the law's time for a size of s bytes; 0 or less where the law is not valid. */
double tw__fit_time(const struct tw__fit *, double s);

/* Fits the law t = a*s^b+c, which no transformation makes linear. */

/* Fits a, b and c to n points. They must have at least four sizes. `room` must hold 3*n numbers. `quantile` is the
 * quantile of Student's distribution for the confidence intervals. GSL's error handler must be off. */
int tw__fit_power_offset(struct tw__fit *, const struct tw__point *, int n, double *room, double quantile,
                         struct tw_error *err);

#endif
