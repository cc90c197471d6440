/* What makes a task's time differ from its kernel's: executions vary (the truth, --noise), and predictions err (the belief,
 * --belief-error). Both are functions of the run's seed, the task, and the arch with its cores alone, so that whoever asks,
 * in whatever order, gets the same: every policy meets the same durations. */
#ifndef TW__NOISE_H
#define TW__NOISE_H

#include <tilewright/base.h>

enum tw__noise_kind {
	TW__NOISE_NONE,
	TW__NOISE_NORMAL,    /* amount: standard deviation, as a part of the mean */
	TW__NOISE_LOGNORMAL, /* same */
	TW__NOISE_MEASURED,  /* lognormal, each time with its own measured deviation */
	TW__NOISE_EMPIRICAL, /* one of the measured executions, where there are samples; else as TW__NOISE_MEASURED */
	TW__NOISE_GIVEN,     /* each task's factor is given */
	TW__NOISE_EXPONENT   /* of beliefs: microseconds to a power drawn from [1 - amount, 1 + amount] */
};

struct tw__noise {
	enum tw__noise_kind kind;
	double amount;
	uint64_t seed;
	const double *given; /* [n_given] factors of tasks; those of tasks behind them are 1 */
	tw_task n_given;
};

/* "0.02" and "normal:0.02", "lognormal:0.05", "measured", "empirical"; "0": none. The seed is the caller's to set. */
int tw__noise_parse(struct tw__noise *, const char *text, struct tw_error *err);

/* The time of that task there. `seconds`: the mean, or NAN, which stays; `stddev`: its measured deviation in seconds, 0 or NAN
 * if there is none; `arch`: tells archs apart. Above 0 if `seconds` is, at most TW_MAX_SECONDS; the mean of all draws is `seconds`, but for
 * TW__NOISE_EXPONENT. */
double tw__noise_apply(const struct tw__noise *, double seconds, double stddev, uint64_t arch, tw_task);

/* The same with one of n measured executions, told as parts of their mean, each as likely as the others. */
double tw__noise_draw(const struct tw__noise *, double seconds, const double *factors, size_t n, uint64_t arch,
                      tw_task);

#endif
