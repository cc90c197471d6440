/* Deviations of a task's time from its kernel's mean time. Durations vary (the truth, --noise), and predictions err
 * (the belief, --belief-error). Both depend only on the run's seed, the task, and the arch with its cores. The order of
 * calls does not matter, so all policies get the same durations. */
#ifndef TW__NOISE_H
#define TW__NOISE_H

#include <tilewright/base.h>

enum tw__noise_kind {
	TW__NOISE_NONE,
	TW__NOISE_NORMAL,    /* normal distribution; `amount`: standard deviation relative to the mean */
	TW__NOISE_LOGNORMAL, /* lognormal distribution; `amount`: standard deviation relative to the mean */
	TW__NOISE_MEASURED,  /* lognormal distribution; each kernel time has its own measured deviation */
	TW__NOISE_EMPIRICAL, /* a measured execution, drawn at random; without samples as TW__NOISE_MEASURED */
	TW__NOISE_GIVEN,     /* the caller gives a factor for the time of each task */
	TW__NOISE_EXPONENT   /* for beliefs: the microseconds to a power drawn from [1 - amount, 1 + amount] */
};

struct tw__noise {
	enum tw__noise_kind kind;
	double amount;
	uint64_t seed;
	const double *given; /* [n_given] factor for the time of each task; tasks from n_given on have 1 */
	tw_task n_given;
	const tw_task *numbers; /* [n_numbers] numbers for which tasks draw, before others; NULL: from `first` on */
	tw_task n_numbers;
	tw_task first; /* number of task 0 in the graph for which tasks draw: a part of it alone draws the same */
};

/* Parses the value of --noise: "0.02" or "normal:0.02", "lognormal:0.05", "measured", "empirical"; "0": no noise. The
 * caller sets the seed. */
int tw__noise_parse(struct tw__noise *, const char *text, struct tw_error *err);

/* Draws the seconds of a task on an arch. `seconds` is the mean; NAN is returned unchanged. `stddev` is the measured
 * standard deviation, in seconds; 0 or NAN: none. `arch` is the arch's key in tw__times.arch_key. The result is above 0
 * if `seconds` is, and at most TW_MAX_SECONDS. The mean of all draws is `seconds`, except for TW__NOISE_GIVEN and
 * TW__NOISE_EXPONENT. */
double tw__noise_apply(const struct tw__noise *, double seconds, double stddev, uint64_t arch, tw_task);

/* Draws the seconds of a task on an arch: the mean `seconds` times one of n factors, all equally likely. The factors
 * are measured executions relative to their mean. */
double tw__noise_draw(const struct tw__noise *, double seconds, const double *factors, size_t n, uint64_t arch,
                      tw_task);

#endif
