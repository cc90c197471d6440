/* Deviations of a task's time from its kernel's. Executions vary (the truth, --noise), and predictions err (the
 * belief, --belief-error). Both depend only on the run's seed, the task, and the arch with its cores. The order of
 * calls does not matter, so all policies get the same durations. */
#ifndef TW__NOISE_H
#define TW__NOISE_H

#include <tilewright/base.h>

enum tw__noise_kind {
	TW__NOISE_NONE,
	TW__NOISE_NORMAL,    /* amount: standard deviation relative to the mean */
	TW__NOISE_LOGNORMAL, /* same */
	TW__NOISE_MEASURED,  /* lognormal; each time has its own measured deviation */
	TW__NOISE_EMPIRICAL, /* one of the measured executions, if there are samples; otherwise as TW__NOISE_MEASURED */
	TW__NOISE_GIVEN,     /* the caller gives a factor for each task */
	TW__NOISE_EXPONENT   /* for beliefs: microseconds to a power drawn from [1 - amount, 1 + amount] */
};

struct tw__noise {
	enum tw__noise_kind kind;
	double amount;
	uint64_t seed;
	const double *given; /* [n_given] factors of tasks; later tasks have 1 */
	tw_task n_given;
};

/* Parses "0.02" and "normal:0.02", "lognormal:0.05", "measured", "empirical"; "0": none. The caller sets the seed. */
int tw__noise_parse(struct tw__noise *, const char *text, struct tw_error *err);

/* The time of that task on that arch. NAN as `seconds`, the mean, is returned unchanged. The measured deviation is
 * `stddev`, in seconds; 0 or NAN: none. Archs are told apart by the key `arch`. The result is above 0 if `seconds`
 * is, and at most TW_MAX_SECONDS. The mean of all draws is `seconds`, except for TW__NOISE_EXPONENT. */
double tw__noise_apply(const struct tw__noise *, double seconds, double stddev, uint64_t arch, tw_task);

/* The same, but takes one of n measured executions (relative to their mean), all equally likely. */
double tw__noise_draw(const struct tw__noise *, double seconds, const double *factors, size_t n, uint64_t arch,
                      tw_task);

#endif
