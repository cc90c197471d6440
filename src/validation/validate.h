/* Makes the points of `validate-model`, and appends their rows to a file. A later call goes on where an earlier one
 * ended. */
#ifndef TW__VALIDATION_VALIDATE_H
#define TW__VALIDATION_VALIDATE_H

#include "results/write.h"
#include "validation/explain.h"

struct tw__validate_model {
	struct tw__request common; /* options of all real runs: platform, engine, emulate, choice, seed and others */
	int n_workloads, n_policies, n_gpu_mems;
	char *const *workloads, *const *policies;
	const uint64_t *gpu_mem_bytes; /* limits of GPU memories; 0: the platform's own limit */
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
