/* Fits the law t = a*s^b+c, which no transformation makes linear. */
#ifndef TW__POWER_OFFSET_H
#define TW__POWER_OFFSET_H

#include "perf/regression.h"

/* Fits a, b and c to n points. They must have at least four sizes. `room` must hold 3*n numbers. `quantile` is the
 * quantile of Student's distribution for the confidence intervals. GSL's error handler must be off. */
int tw__fit_power_offset(struct tw__fit *, const struct tw__point *, int n, double *room, double quantile,
                         struct tw_error *err);

#endif
