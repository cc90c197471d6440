/* What executions of one kernel on one arch tell about its time. */
#ifndef TW__ESTIMATE_H
#define TW__ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* One execution; those of one worker in the order in which they came. */
struct tw__execution {
	double seconds;
	int worker;
	bool interrupted; /* the worker's core was taken away */
	bool is_warm;     /* of an earlier calibration, which has dropped what it had to */
};

enum tw__verdict { TW__COUNTS, TW__SLOW_START, TW__INTERRUPTED, TW__OUTLIER, TW__N_VERDICTS };

struct tw__estimate {
	size_t n[TW__N_VERDICTS]; /* executions */
	double mean_s, stddev_s;  /* of those that count */
	double median_s;
	/* The width of the median's 95 % confidence interval, as a part of the median; INFINITY: there are too few to tell. It needs no
	 * assumption about the distribution. */
	double interval;
	double worst_s; /* the longest outlier; 0: there is none */
};

/* Executions count, but for these:
 * - the first 3 of each worker, and those behind them that are longer than the rest as a whole (a slow start);
 * - those that were interrupted;
 * - outliers: longer than the median by half, and by 10 standard deviations as the median absolute deviation tells them.
 * If that leaves nothing, what was dropped last counts again. `verdicts`, `room`: [n]. At least one execution. */
void tw__estimate(struct tw__estimate *, const struct tw__execution *, size_t n, enum tw__verdict *verdicts,
                  double *room);

/* Whether more executions are needed: fewer than 30 count, or the interval is 1 % or more. */
bool tw__estimate_is_wide(const struct tw__estimate *);

#endif
