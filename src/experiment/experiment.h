/* Experiments: from options of the command line to rows of results. */
#ifndef TW__EXPERIMENT_H
#define TW__EXPERIMENT_H

#include <stdio.h>

#include "platform/platform.h"
#include "request/digest.h"
#include "request/request.h"
#include "runtime/run.h"

/* Outcome of a run. Refused: the run could not be prepared, so it did not start. */
enum tw__run_status { TW__RUN_OK, TW__RUN_FAILED, TW__RUN_REFUSED };

/* The result of a run, which becomes one row of output. For a failed run, only the members up to `bound_area_s` are
 * valid. For a refused run, only members that come from the request are. */
struct tw__result {
	const struct tw__request *request;
	enum tw__run_status status;
	char message[512];           /* why the run failed or was refused; otherwise "" */
	const char *eviction;        /* eviction policy: the request's, or the scheduling policy's default */
	const char *default_runtime; /* the runtime model that applies if the request names none */
	int cpus, gpus;              /* numbers of CPU workers and of accelerators */
	int nodes;                   /* of a cluster; 1: the platform is one node */
	/* Usable memory of the accelerator that has least; 0: no accelerator, UINT64_MAX: unbounded. */
	uint64_t gpu_mem_bytes;
	uint64_t working_set_bytes; /* bytes of all handles of the workload, without scratch; UINT64_MAX: unknown */
	int64_t tasks;
	/* Flops of the graph, NAN if they are unknown. Bounds on the makespan; with noise, of the durations drawn. */
	double flops, bound_critical_path_s, bound_area_s;
	struct tw__run_counters counters;
	/* Counters that the policy and the runtime report, and dates of several graphs, as text "key=value;...". */
	char figures[6144];
	double slowdown_mean, slowdown_max, fairness; /* of several graphs; NAN: there is one, or they are unknown */
	/* NAN if the makespan is 0, or the flops are unknown; idle ratios of all workers, CPUs and GPUs: also if there
	 * are none */
	double gflops, idle_ratio, idle_ratio_cpu, idle_ratio_gpu;
	/* Wall time of set-up (platform, times, graph) and run, without validation and trace; tasks per second of
	 * that. */
	double wall_s, tasks_per_s;
	uint64_t peak_rss_bytes; /* peak resident memory of the run's process */
	bool validated;
	/* Sources of the kernel times: "measured", "recorded", "inferred", "regression", "flop_rate", "learned", joined
	 * by '+'. */
	const char *kernel_model;
	double extrapolated_share; /* the part of the work whose times are extrapolated, from 0 to 1 */
	char *explanation;         /* text or JSON, as the request wants; malloc'ed, the caller frees it; NULL: none */
	char identity[TW__DIGEST_TEXT]; /* fingerprint of the run's inputs: see identity.h */
};

/* A list of runs, checked and loaded. Runs with the same platform, selection of workers and workload share one platform
 * and one graph in memory. */
struct tw__experiment;

/* Checks and loads n requests. Returns TW_INVALID for an error in any request: a wrong name or file, a task without a
 * time, a trace that cannot be written ... The requests belong to the caller and must outlive the experiment. */
int tw__experiment_create(struct tw__experiment **, const struct tw__request *requests, int n, struct tw_error *err);
void tw__experiment_destroy(struct tw__experiment *);

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

#endif
