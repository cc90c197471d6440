/* Estimates a kernel's time on one arch from its executions. */
#ifndef TW__ESTIMATE_H
#define TW__ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* One execution of a kernel. The executions of each worker are in order of time. */
struct tw__execution {
	double seconds;
	int worker;
	bool interrupted; /* the worker lost its core during the execution */
	bool is_warm;     /* from an earlier calibration, which has already dropped slow starts and outliers */
};

enum tw__verdict { TW__COUNTS, TW__SLOW_START, TW__INTERRUPTED, TW__OUTLIER, TW__N_VERDICTS };

struct tw__estimate {
	size_t n[TW__N_VERDICTS]; /* number of executions with each verdict */
	double mean_s, stddev_s;  /* mean and standard deviation of the executions that count */
	double median_s;
	/* Width of the median's 95 % confidence interval, relative to the median; INFINITY: too few samples. The
	 * interval assumes no distribution of the samples. */
	double interval;
	double worst_s; /* time of the longest outlier; 0: there is none */
};

/* Judges executions, and estimates the kernel's time from those that count. All executions count, except:
 * - the first 3 of each worker, and slow ones directly after them (a slow start);
 * - interrupted ones;
 * - outliers: longer than the median by 50 % and by 10 standard deviations, estimated from the median absolute
 *   deviation.
 * If no execution is left, those dropped last count again. `verdicts`, [n]: the result for each execution. `room`: [n],
 * for intermediate values. Needs at least one execution. */
void tw__estimate(struct tw__estimate *, const struct tw__execution *, size_t n, enum tw__verdict *verdicts,
                  double *room);

/* Whether the estimated time is uncertain: fewer than 30 executions count, or the confidence interval is 1 % wide or
 * more. */
bool tw__estimate_is_wide(const struct tw__estimate *);

#endif
