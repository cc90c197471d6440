/* Rows of results, from structs to cells and files: rows of runs (struct tw__result), and rows of validate-model. */
#ifndef TW__RESULTS_WRITE_H
#define TW__RESULTS_WRITE_H

#include "experiment/experiment.h"
#include "results/columns.h"

/* The parts of the difference between the simulated and the real makespan: differences between successive steps of an
 * explanation (validation/explain.h), relative to the real makespan. The sum of all parts is minus the error. */
enum tw__part { TW__PART_KERNELS, TW__PART_ORDER, TW__PART_BUS, TW__PART_RUNTIME, TW__PART_REST, TW__N_PARTS };
extern const char *const tw__part_names[TW__N_PARTS];

enum tw__validated { TW__VALIDATED, TW__NOISY, TW__NOT_VALIDATED };

/* A row of `validate-model`, about one point: a workload under a policy with a memory limit. It sums up several real
 * runs. */
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
	double simulated_s, error; /* makespan of the simulation with mean times; error: simulated_s / real_s - 1 */
	double low_s, high_s;      /* least and greatest makespan of simulations with measured noise and random order */
	double parts[TW__N_PARTS];
	double real_bytes, simulated_bytes; /* bytes transferred in the median real run and its simulation */
	double off_cpu, turn_us_per_task;
	char kernels[1024]; /* mean durations in the real runs, relative to the model, as "gemm@cpu=1.02;..." */
	char identity[TW__DIGEST_TEXT];
};

/* Returns the part with the greatest absolute value. */
enum tw__part tw__largest_part(const struct tw__validation *);

/* Fills `cells` with the columns of a result or of a row of validate-model, and returns their number. */
int tw__result_cells(const struct tw__result *, struct cell *cells);
int tw__validation_cells(const struct tw__validation *, struct cell *cells);

/* Output formats. */
enum tw__result_format { TW__TEXT, TW__JSON, TW__CSV };
/* Writes n results, with the chosen columns; the text format ignores the choice. The explanations of results stand
 * behind the table of text, and are members of rows of JSON; the CSV format has none. The caller checks ferror() for
 * write errors. */
void tw__result_write(FILE *, enum tw__result_format, const struct tw__column_choice *, const struct tw__result *,
                      int n);

/* Returns the header line of a CSV file with the chosen columns, malloc'ed, with its line feed. The
 * next function writes the line of one result. */
char *tw__result_header(const struct tw__column_choice *);
void tw__result_write_row(FILE *, const struct tw__column_choice *, const struct tw__result *);

#endif
