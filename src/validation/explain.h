/* How far a simulation is from a real run, and why: successive simulations that take over more and more of what the real run did. */
#ifndef TW__EXPLAIN_H
#define TW__EXPLAIN_H

#include "experiment/load.h"

/* Each step keeps what the steps before it have taken over. */
enum tw__step {
	TW__STEP_MEANS,   /* the model alone: kernels take their mean times */
	TW__STEP_KERNELS, /* each task takes as long, beside its kernel's mean, as in the real run */
	TW__STEP_ORDER,   /* each task runs on the worker, and each worker in the order, of the real run (policy `replay`) */
	TW__STEP_BUS,     /* links carry as much as they did in the real run */
	TW__STEP_RUNTIME, /* a turn takes as long as it did in the real run */
	TW__N_STEPS
};
extern const char *const tw__step_names[TW__N_STEPS]; /* "means", "kernels", ... */

struct tw__explained {
	double real_s;
	double simulated_s[TW__N_STEPS]; /* makespans */
	uint64_t real_bytes, simulated_bytes; /* transferred; of the step TW__STEP_MEANS */
	double off_cpu;                       /* of the real run; NAN: nobody knows */
	double turn_us_per_task;
};

struct tw__explain_setup {
	struct tw__scene *scene; /* changed while a simulation runs, and restored */
	const struct tw__request *real, *simulated;
	double most_off_cpu; /* a real run with more is repeated ... */
	int most_tries;      /* ... so many times in all */
};

/* One real run. `*tries`: the runs that it took. TW_OK with *quiet false: none of them was quiet, and nothing was simulated. */
int tw__explain(struct tw__explained *, const struct tw__explain_setup *, int *tries, bool *quiet, struct tw_error *err);

/* Makespans of the model with measured noise, and with simultaneous events in random order: the least and the greatest of so many. */
int tw__simulate_interval(const struct tw__explain_setup *, int n_seeds, double *least_s, double *most_s,
                          struct tw_error *err);

#endif
