/* Estimate of a kernel's time on one arch from its executions. */
#ifndef TW__ESTIMATE_H
#define TW__ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* One execution; those of one worker are in order of time. */
struct tw__execution {
	double seconds;
	int worker;
	bool interrupted; /* the worker lost its core meanwhile */
	bool is_warm;     /* of an earlier calibration, which has dropped its slow starts and outliers */
};

enum tw__verdict { TW__COUNTS, TW__SLOW_START, TW__INTERRUPTED, TW__OUTLIER, TW__N_VERDICTS };

struct tw__estimate {
	size_t n[TW__N_VERDICTS]; /* executions */
	double mean_s, stddev_s;  /* of those that count */
	double median_s;
	/* Width of the median's 95 % confidence interval, relative to the median; INFINITY: too few samples. It assumes
	 * no distribution. */
	double interval;
	double worst_s; /* the longest outlier; 0: none */
};

/* All executions count, except:
 * - the first 3 of each worker, and slow ones directly behind them (a slow start);
 * - interrupted ones;
 * - outliers: longer than the median by 50 % and by 10 standard deviations, estimated from the median absolute
 *   deviation.
 * If no execution is left, those dropped last count again. `verdicts`, `room`: [n]. Needs at least one execution. */
void tw__estimate(struct tw__estimate *, const struct tw__execution *, size_t n, enum tw__verdict *verdicts,
                  double *room);

/* Whether the time is uncertain: fewer than 30 executions count, or the interval is 1 % or more. */
bool tw__estimate_is_wide(const struct tw__estimate *);

#endif
