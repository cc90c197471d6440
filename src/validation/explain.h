/* How far a simulation is from a real run, and why: successive simulations that take over more and more of what the real run did. */
#ifndef TW__EXPLAIN_H
#define TW__EXPLAIN_H

#include "experiment/load.h"

/* Each step takes over what the steps before it have. */
enum tw__step {
	TW__STEP_MEANS,   /* the model alone: kernels take their mean times */
	TW__STEP_KERNELS, /* each task takes as long, beside its kernel's mean, as in the real run */
	TW__STEP_ORDER,   /* kernels and copies start in the order of the real run: see retrace.h */
	TW__STEP_BUS,     /* copies take as long as in the real run */
	TW__STEP_RUNTIME, /* each kernel waits for a turn, as long as those of the real run; there is one turn at a time */
	TW__N_STEPS
};
extern const char *const tw__step_names[TW__N_STEPS]; /* "means", "kernels", ... */

struct tw__explained {
	double real_s;
	double simulated_s[TW__N_STEPS];      /* makespans */
	uint64_t real_bytes, simulated_bytes; /* transferred; of the step TW__STEP_MEANS */
	double off_cpu;                       /* of the real run; NAN: nobody knows */
	double turn_us_per_task;
};

/* Durations of one kernel on one arch. */
struct tw__kernel_sum {
	double real_s; /* in real runs, in all */
	int64_t n;
};

struct tw__explain_setup {
	struct tw__scene *scene; /* changed while a simulation runs, and restored */
	const struct tw__request *real, *simulated;
	double most_off_cpu;         /* a real run with more is repeated ... */
	int most_tries;              /* ... so many times in all */
	struct tw__kernel_sum *sums; /* [kernels * archs] get what tasks took */
};

/* Whether the engine of that request sleeps instead of computing. */
bool tw__is_timed(const struct tw__request *real);

/* One real run. `*tries`: the runs that it took. TW_OK with *quiet false: none of them was quiet, and nothing was simulated. */
int tw__explain(struct tw__explained *, const struct tw__explain_setup *, int *tries, bool *quiet,
                struct tw_error *err);

/* The steps alone, for a run that has happened; e->turn_us_per_task is what its turns took. */
int tw__explain_past(struct tw__explained *e, const struct tw__explain_setup *, const struct tw__history *,
                     struct tw_error *err);

/* A run of the request on the scene. `factors`: of tasks' durations; `history` gets what it did; or NULL. */
int tw__explain_run(const struct tw__scene *, const struct tw__request *, const double *factors, struct tw__history *,
                    struct tw__outcome *, struct tw_error *err);

/* Makespans of the model with measured noise, and with simultaneous events in random order: the least and the greatest of so many. */
int tw__simulate_interval(const struct tw__explain_setup *, int n_seeds, double *least_s, double *most_s,
                          struct tw_error *err);

#endif
