/* A row of `validate-model`, about one point: a workload under a policy with a memory limit. It sums up several real
 * runs. */
#ifndef TW__VALIDATION_ROW_H
#define TW__VALIDATION_ROW_H

#include "base/cells.h"
#include "validation/explain.h"

/* The parts of the difference between the simulated and the real makespan: differences between successive steps (enum
 * tw__step), relative to the real makespan. The sum of all parts is minus the error. */
enum tw__part { TW__PART_KERNELS, TW__PART_ORDER, TW__PART_BUS, TW__PART_RUNTIME, TW__PART_REST, TW__N_PARTS };
extern const char *const tw__part_names[TW__N_PARTS];

enum tw__validated { TW__VALIDATED, TW__NOISY, TW__NOT_VALIDATED };

struct tw__validation {
	const struct tw__request *request; /* the options of the real runs */
	const char *eviction;
	enum tw__validated status;
	char message[512];      /* why the row has failed, in one line */
	int cpus, gpus;         /* numbers of CPU workers and of GPUs */
	uint64_t gpu_mem_bytes; /* usable bytes of a GPU; UINT64_MAX: unbounded; 0: there is no GPU */
	int64_t tasks;
	int runs, noisy_runs; /* numbers of real runs that count, and of those that were repeated because of noise */
	double real_s, real_least_s, real_most_s;
	double simulated_s, error; /* makespan of step TW__STEP_MEANS; error: simulated_s / real_s - 1 */
	double low_s, high_s;      /* least and greatest makespan of simulations with measured noise and random order */
	double parts[TW__N_PARTS];
	double real_bytes, simulated_bytes; /* bytes transferred in the median real run and its simulation */
	double off_cpu, turn_us_per_task;
	char kernels[1024]; /* mean durations in the real runs, relative to the model, as "gemm@cpu=1.02;..." */
	char identity[TW__DIGEST_TEXT];
};

enum { TW__VALIDATION_COLUMNS = 48 };
int tw__validation_cells(const struct tw__validation *, struct cell *);
/* Fills cells with the names of the columns and empty values. Returns their number. */
int tw__validation_names(struct cell *);
/* Parses "policy,makespan_error": tw__column_choice_parse for these columns. */
int tw__validation_columns(struct tw__column_choice *, const char *text, struct tw_error *err);

/* Returns the part with the greatest absolute value. */
enum tw__part tw__largest_part(const struct tw__validation *);

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

#endif
