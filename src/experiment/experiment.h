/* Experiments: from options of the command line to rows of results. */
#ifndef TW__EXPERIMENT_H
#define TW__EXPERIMENT_H

#include <stdio.h>

#include "experiment/choice.h"
#include "experiment/digest.h"
#include "platform/platform.h"
#include "runtime/run.h"

#define TW__DEFAULT_EVICTION "lru"
#define TW__DEFAULT_ENGINE "simgrid"
#define TW__DEFAULT_RUNTIME "starpu"
#define TW__DEFAULT_REAL_RUNTIME "real" /* with engines that compute */

/* Inputs of a run, as the user wrote them. Strings belong to the caller and must outlive the results. */
struct tw__request {
	const char *platform, *workload, *policy; /* specifications: "mirage", "cholesky:nt=20", "eager" */
	const char *eviction;                     /* NULL: the policy's own, or the default above */
	const char *engine, *runtime;             /* NULL: the defaults above; for engines that compute, "real" */
	const char *emulate, *check;              /* for engines that compute: --emulate and --check; NULL: not given */
	struct tw__platform_choice choice;
	uint64_t seed;
	int repeat; /* index of this repetition, from 0: the run's seed is seed + repeat */
	bool validate;
	const char *noise;   /* of kernel times: "0.02", "lognormal:0.05", "measured"; NULL: none */
	double belief_error; /* error of the times that policies see: see TW__NOISE_EXPONENT; 0: none */
	bool extrapolate;    /* estimate times that were not measured */
	const char *trace;   /* file, or NULL */
	double time_limit_s; /* of wall time; 0: none */
	const char *learn;   /* --learn, for engines that compute: folder of learnt kernel times; NULL: not given */
};

/* Refused: the run could not be prepared. */
enum tw__run_status { TW__RUN_OK, TW__RUN_FAILED, TW__RUN_REFUSED };

/* One row. For a failed run, only the members up to `bound_area_s` are valid. For a refused one, only those of the
 * request are. */
struct tw__result {
	const struct tw__request *request;
	enum tw__run_status status;
	char message[512];           /* why it failed; otherwise "" */
	const char *eviction;        /* as asked for, or the policy's own */
	const char *default_runtime; /* the runtime if the request names none */
	int cpus, gpus;              /* workers */
	uint64_t gpu_mem_bytes;      /* usable, of the smallest accelerator; 0: no accelerator, UINT64_MAX: unbounded */
	uint64_t working_set_bytes;  /* of the workload's data without scratch; UINT64_MAX: unknown */
	int64_t tasks;
	double flops, bound_critical_path_s, bound_area_s; /* with the drawn durations, if there is noise */
	struct tw__run_counters counters;
	char figures[1024];         /* counters of the policy, "key=value;..." */
	double gflops, idle_ratio;  /* NAN if the run took no time */
	double wall_s, tasks_per_s; /* set-up (platform, times, graph) and run, without validation and trace */
	uint64_t peak_rss_bytes;    /* of the run's process */
	bool validated;
	/* Sources of the kernel times: "measured", "recorded", "inferred", "regression", "flop_rate", "learned", joined
	 * by '+'. */
	const char *kernel_model;
	char identity[TW__DIGEST_TEXT]; /* see identity.h */
};

/* A list of runs, checked and loaded. Runs with the same platform, selection and workload share one copy of them. */
struct tw__experiment;

/* TW_INVALID for any error in the requests: names, files, a task without a time, a trace that cannot be written ... The
 * requests belong to the caller and must outlive the experiment. */
int tw__experiment_create(struct tw__experiment **, const struct tw__request *requests, int n, struct tw_error *err);
void tw__experiment_destroy(struct tw__experiment *);

/* Executes the i-th run, in a child process. A failed run gives TW_OK and a row with its status and message.
 * TW_INVALID: the run refused to start. */
int tw__experiment_row(const struct tw__experiment *, int i, struct tw__result *, struct tw_error *err);

/* A run that is under way: the number of its request, and how far it is. */
struct tw__running {
	int row;
	const struct tw__pulse *pulse; /* changes meanwhile */
};

/* Callbacks while runs are executed; each may be NULL. */
struct tw__experiment_watch {
	void (*row)(void *context, int i);                              /* the rows up to this one are complete */
	void (*tick)(void *context, const struct tw__running *, int n); /* a few times a second; n > 0 */
	void *context;
};

/* Executes all n runs, `jobs` at once, each in a child process. Rows are told in their order. TW_INVALID: a run refused
 * to start; the rows before it are complete, those behind it are void. */
int tw__experiment_rows(const struct tw__experiment *, int n, int jobs, struct tw__result *rows,
                        const struct tw__experiment_watch *, struct tw_error *err);

/* Creates an experiment of one request, runs it and destroys it. */
int tw__experiment_run(const struct tw__request *, struct tw__result *, struct tw_error *err);

/* Output formats; docs/reference/results.md documents the columns. */
enum tw__result_format { TW__TEXT, TW__JSON, TW__CSV };
/* Parses "policy,makespan_s": tw__column_choice_parse for the columns of results. */
int tw__result_columns(struct tw__column_choice *, const char *text, struct tw_error *err);
/* Writes the chosen columns; the text format ignores the choice. The caller checks ferror() for write errors. TW_NOMEM:
 * out of memory. */
int tw__result_write(FILE *, enum tw__result_format, const struct tw__column_choice *, const struct tw__result *, int n,
                     struct tw_error *err);

/* Parts of a CSV file, each with its line feed. The header is malloc'ed; NULL: out of memory. */
char *tw__result_header(const struct tw__column_choice *);
void tw__result_write_row(FILE *, const struct tw__column_choice *, const struct tw__result *);

/* Parameters that every workload takes, in addition to its own. */
extern const struct tw_param tw__workload_params[];

/* All engines; ends with NULL. */
extern const struct tw__engine_ops *const tw__engines[];

#endif
