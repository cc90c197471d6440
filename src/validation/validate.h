/* Makes the points of `validate-model`, and appends their rows to a file. A later call goes on where an earlier one
 * ended. */
#ifndef TW__VALIDATION_VALIDATE_H
#define TW__VALIDATION_VALIDATE_H

#include "experiment/load.h"
#include "request/inputs.h"
#include "results/write.h"

/* The makespans of a simulation and a real run are compared, and the difference is explained in steps. Each step takes
 * over one more fact from the real run into the simulation. */
enum tw__step {
	TW__STEP_MEANS,   /* takes over nothing: kernels take their mean times */
	TW__STEP_KERNELS, /* takes over the duration of each task, relative to its kernel's mean */
	TW__STEP_ORDER,   /* takes over the order in which kernels and copies start: see retrace.h */
	TW__STEP_BUS,     /* takes over the durations of copies */
	TW__STEP_RUNTIME, /* takes over the mean duration of turns: each kernel waits for a turn, one at a time */
	TW__N_STEPS
};

struct tw__explained {
	double real_s;
	double simulated_s[TW__N_STEPS];      /* makespan of the simulation of each step */
	uint64_t real_bytes, simulated_bytes; /* bytes transferred in the real run, and in step TW__STEP_MEANS */
	double off_cpu; /* fraction of the real run's time in kernels in which cores were preempted; NAN: unknown */
	double turn_us_per_task;
};

/* The sum of the durations of one kernel on one arch. */
struct tw__kernel_sum {
	double real_s; /* sum of durations in s over the tasks of all real runs */
	int64_t n;
};

struct tw__explain_setup {
	struct tw__scene *scene; /* platform, kernel times and graph of all runs */
	const struct tw__request *real, *simulated;
	double most_off_cpu;         /* a real run with a greater off_cpu is repeated */
	struct tw__kernel_sum *sums; /* [kernels * archs] to which the durations of tasks in the real run are added */
};

/* Whether the engine of the request only sleeps for modelled times (mode=timed), instead of computing. */
bool tw__is_timed(const struct tw__request *real);

/* Explains the makespan of a past run. The caller has set e->turn_us_per_task to the time of its turns. */
int tw__explain_past(struct tw__explained *e, const struct tw__explain_setup *, const struct tw__history *,
                     struct tw_error *err);

/* Runs the request on the scene. `factors`: [tasks] factors of the durations of tasks, or NULL. `history`: receives the
 * events of the run, or NULL. */
int tw__explain_run(const struct tw__scene *, const struct tw__request *, const double *factors, struct tw__history *,
                    struct tw__outcome *, struct tw_error *err);

struct tw__validate_model {
	struct tw__inputs *inputs; /* of the real runs, with lists of workloads, policies and limits of GPU memories */
	int repeat;
	double most_off_cpu; /* a real run whose threads lost their cores for a greater part of the time is repeated */
	bool force;          /* accepts a platform that was measured on another machine */
	bool retry;          /* runs those points again whose rows have failed */
	const char *output;
	/* Chosen columns. The file also gets those that a later call needs: tw__columns_resume. */
	struct tw__column_choice columns;
	void (*begin)(void *context, const struct tw__request *, int64_t point, int64_t n_points);
	void (*tick)(void *context, int run, bool quiet);
	void (*end)(void *context, const struct tw__validation *);
	void *context;
	int stop_fd; /* a file descriptor; once it is readable, no further point begins */
};

struct tw__validate_counts {
	int64_t points, there, done, failed;
	bool stopped;
};

struct tw__validate_setup {
	const struct tw__request *real, *simulated;
	struct tw__scene *scene;
	int repeat;
	double most_off_cpu; /* a real run with a greater off_cpu is repeated */
	/* Called after each real run and its repetitions. `quiet`: whether the run counts. */
	void (*tick)(void *context, int run, bool quiet);
	void *context;
};

/* Makes the real runs and simulations of one point. Returns TW_OK, whatever the status of the row, or TW_NOMEM. */
int tw__validate_point(struct tw__validation *, const struct tw__validate_setup *, struct tw_error *err);

int tw__validate_model(const struct tw__validate_model *, struct tw__validate_counts *, struct tw_error *err);

#endif
