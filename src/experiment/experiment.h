/* Experiments: from the words of the command line to rows of results. */
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

/* What to run, in the user's words. Strings belong to the caller and outlive the results. */
struct tw__request {
	const char *platform, *workload, *policy; /* specifications: "mirage", "cholesky:nt=20", "eager" */
	const char *eviction;                     /* NULL: the policy's own, or the default above */
	const char *engine, *runtime;             /* NULL: the defaults above; for engines that compute, "real" */
	const char *emulate, *check; /* of engines that compute: see --emulate and --check; NULL: not given */
	struct tw__platform_choice choice;
	uint64_t seed;
	int repeat; /* index of this repetition, from 0: the run's seed is seed + repeat */
	bool validate;
	const char *noise;   /* of kernels' times: "0.02", "lognormal:0.05", "measured"; NULL: none */
	double belief_error; /* of the times that policies see: see TW__NOISE_EXPONENT; 0: none */
	bool extrapolate;    /* kernels of which nothing was measured get times from the flop-rate model */
	const char *trace;   /* file, or NULL */
	const char *learn;   /* folder of kernel times that engines that compute learn; NULL: they do not */
};

/* Refused: the run could not even be prepared. */
enum tw__run_status { TW__RUN_OK, TW__RUN_FAILED, TW__RUN_REFUSED };

/* One row. Of a failed run, only what was known before it started is meaningful: up to `bound_area_s`; of a refused one,
 * what was asked for. */
struct tw__result {
	const struct tw__request *request;
	enum tw__run_status status;
	char message[512];           /* why it failed; "" else */
	const char *eviction;        /* as asked for, or the name of the one that the policy brings */
	const char *default_runtime; /* what it is where the request names none */
	int cpus, gpus;              /* workers */
	uint64_t gpu_mem_bytes;      /* usable, of the smallest accelerator; 0: no accelerator, UINT64_MAX: unbounded */
	uint64_t working_set_bytes;  /* of the workload's data, scratch left out; UINT64_MAX: not known */
	int64_t tasks;
	double flops, bound_critical_path_s, bound_area_s; /* with the durations drawn, if there is noise */
	struct tw__run_counters counters;
	char figures[1024];         /* of the policy, "key=value;..." */
	double gflops, idle_ratio;  /* NAN for a run that took no time */
	double wall_s, tasks_per_s; /* set-up (platform, times, graph) and run; neither validation nor trace */
	uint64_t peak_rss_bytes;    /* of the run's process */
	bool validated;
	/* Where kernel times come from: "measured", "recorded", "inferred", "regression", "flop_rate", or several, joined by '+'. */
	const char *kernel_model;
	char identity[TW__DIGEST_TEXT]; /* see identity.h */
};

/* A list of runs, everything about them checked and loaded. What several of them have in common (platform, selection
 * and workload) is loaded once. */
struct tw__experiment;

/* TW_INVALID for whatever is wrong with any of the requests: words, files, a task without a time, a trace that cannot
 * be written ... The requests belong to the caller and outlive the experiment. */
int tw__experiment_create(struct tw__experiment **, const struct tw__request *requests, int n, struct tw_error *err);
void tw__experiment_destroy(struct tw__experiment *);

/* Runs the i-th request, in a process of its own where the engine asks for that. A run that fails is a row with its
 * status and message, and TW_OK. TW_INVALID: the run refused to start. */
int tw__experiment_row(const struct tw__experiment *, int i, struct tw__result *, struct tw_error *err);

/* All of that for one request. */
int tw__experiment_run(const struct tw__request *, struct tw__result *, struct tw_error *err);

/* Results as people or programs want them; docs/reference/results.md documents the columns. */
enum tw__result_format { TW__TEXT, TW__JSON, TW__CSV };
/* From "policy,makespan_s": tw__column_choice_parse for the columns of results. */
int tw__result_columns(struct tw__column_choice *, const char *text, struct tw_error *err);
/* Writes the chosen columns; the text format has its own. Errors of writing show in ferror(). TW_NOMEM: out of memory. */
int tw__result_write(FILE *, enum tw__result_format, const struct tw__column_choice *, const struct tw__result *, int n,
                     struct tw_error *err);

/* The pieces of a CSV file, each with its line feed. The header is malloc'ed; NULL: out of memory. */
char *tw__result_header(const struct tw__column_choice *);
void tw__result_write_row(FILE *, const struct tw__column_choice *, const struct tw__result *);

/* Parameters that every workload takes, behind its own. */
extern const struct tw_param tw__workload_params[];

/* The engines there are; ends with NULL. */
extern const struct tw__engine_ops *const tw__engines[];

#endif
