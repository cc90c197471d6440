/* The law a*s^b+c, which cannot be made linear. */
#ifndef TW__POWER_OFFSET_H
#define TW__POWER_OFFSET_H

#include "perf/regression.h"

/* Fits a, b and c. Needs at least four sizes, and `room` for 3*n numbers. `quantile` is that of Student's
 * distribution. GSL's error handler must be off. */
int tw__fit_power_offset(struct tw__fit *, const struct tw__point *, int n, double *room, double quantile,
                         struct tw_error *err);

#endif
