/* The law a*s^b+c, which is not linear in any form. */
#ifndef TW__POWER_OFFSET_H
#define TW__POWER_OFFSET_H

#include "perf/regression.h"

/* Fills a, b and c. Four or more sizes; `room` is for 3*n numbers, `quantile` that of Student's distribution; GSL's error handler is off. */
int tw__fit_power_offset(struct tw__fit *, const struct tw__point *, int n, double *room, double quantile,
                         struct tw_error *err);

#endif
