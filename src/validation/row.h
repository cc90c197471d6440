/* A row of `validate-model`: one point, several real runs. */
#ifndef TW__VALIDATION_ROW_H
#define TW__VALIDATION_ROW_H

#include "experiment/cells.h"
#include "experiment/choice.h"
#include "validation/explain.h"

/* The parts of the difference between the model and the real runs: differences of makespans of successive steps,
 * relative to the real makespan. Their sum is minus the error. */
enum tw__part { TW__PART_KERNELS, TW__PART_ORDER, TW__PART_BUS, TW__PART_RUNTIME, TW__PART_REST, TW__N_PARTS };
extern const char *const tw__part_names[TW__N_PARTS];

enum tw__validated { TW__VALIDATED, TW__NOISY, TW__NOT_VALIDATED };

struct tw__validation {
	const struct tw__request *request; /* of the real runs */
	const char *eviction;
	enum tw__validated status;
	char message[512];      /* the reason of a failure */
	int cpus, gpus;         /* workers */
	uint64_t gpu_mem_bytes; /* usable; UINT64_MAX: unbounded; 0: no accelerator */
	int64_t tasks;
	int runs, noisy_runs; /* real runs that count; real runs that were repeated because of noise */
	double real_s, real_least_s, real_most_s;
	double simulated_s, error; /* of step TW__STEP_MEANS; simulated / real - 1 */
	double low_s, high_s;      /* the model with measured noise and random order */
	double parts[TW__N_PARTS];
	double real_bytes, simulated_bytes; /* transferred */
	double off_cpu, turn_us_per_task;
	char kernels[1024]; /* "gemm@cpu=1.02;...": mean duration in the real runs, relative to the model */
	char identity[TW__DIGEST_TEXT];
};

enum { TW__VALIDATION_COLUMNS = 48 };
int tw__validation_cells(const struct tw__validation *, struct cell *);
/* The same with empty values, for the names of the columns. */
int tw__validation_names(struct cell *);
/* Parses "policy,makespan_error": tw__column_choice_parse for these columns. */
int tw__validation_columns(struct tw__column_choice *, const char *text, struct tw_error *err);

/* The part with the greatest difference. */
enum tw__part tw__largest_part(const struct tw__validation *);

struct tw__validate_setup {
	const struct tw__request *real, *simulated;
	struct tw__scene *scene;
	int repeat;
	void (*tick)(void *context, int run, bool quiet); /* called after each real run that counts */
	void *context;
};

/* Returns TW_OK for any status of the row; TW_NOMEM. */
int tw__validate_point(struct tw__validation *, const struct tw__validate_setup *, struct tw_error *err);

#endif
