/* How far a simulation is from a real run, and why. Successive simulations take over more and more of the real run. */
#ifndef TW__EXPLAIN_H
#define TW__EXPLAIN_H

#include "experiment/load.h"

/* Each step also includes the previous steps. */
enum tw__step {
	TW__STEP_MEANS,   /* takes nothing from the real run: kernels take their mean times */
	TW__STEP_KERNELS, /* each task deviates from its kernel's mean as in the real run */
	TW__STEP_ORDER,   /* kernels and copies start in the order of the real run: see retrace.h */
	TW__STEP_BUS,     /* copies take as long as in the real run */
	TW__STEP_RUNTIME, /* each kernel waits for a turn as long as those of the real run; one turn runs at a time */
	TW__N_STEPS
};
extern const char *const tw__step_names[TW__N_STEPS]; /* "means", "kernels", ... */

struct tw__explained {
	double real_s;
	double simulated_s[TW__N_STEPS];      /* makespans */
	uint64_t real_bytes, simulated_bytes; /* transferred; simulated: in step TW__STEP_MEANS */
	double off_cpu;                       /* of the real run; NAN: unknown */
	double turn_us_per_task;
};

/* Durations of one kernel on one arch. */
struct tw__kernel_sum {
	double real_s; /* total in the real runs */
	int64_t n;
};

struct tw__explain_setup {
	struct tw__scene *scene; /* changed during a simulation, then restored */
	const struct tw__request *real, *simulated;
	double most_off_cpu;         /* a real run with more is repeated ... */
	int most_tries;              /* ... at most this many times in total */
	struct tw__kernel_sum *sums; /* [kernels * archs] receives the durations of tasks */
};

/* Whether the engine of that request sleeps instead of computing. */
bool tw__is_timed(const struct tw__request *real);

/* One real run and its explanation. `*tries`: the number of runs that it took. TW_OK with *quiet false: none of them
 * was quiet, so nothing was simulated. */
int tw__explain(struct tw__explained *, const struct tw__explain_setup *, int *tries, bool *quiet,
                struct tw_error *err);

/* Only the explanation of a past run; e->turn_us_per_task is the time of its turns. */
int tw__explain_past(struct tw__explained *e, const struct tw__explain_setup *, const struct tw__history *,
                     struct tw_error *err);

/* Runs the request on the scene. `factors` multiply the durations of tasks; `history` receives the run's events; both
 * may be NULL. */
int tw__explain_run(const struct tw__scene *, const struct tw__request *, const double *factors, struct tw__history *,
                    struct tw__outcome *, struct tw_error *err);

/* The least and the greatest makespan of the model over `n_seeds` runs, with measured noise and random order of
 * simultaneous events. */
int tw__simulate_interval(const struct tw__explain_setup *, int n_seeds, double *least_s, double *most_s,
                          struct tw_error *err);

#endif
