/* A request: the inputs of a run, as the user wrote them. */
#ifndef TW__RUN_REQUEST_H
#define TW__RUN_REQUEST_H

#include "platform/platform.h"
#include "request/digest.h"

#define TW__DEFAULT_EVICTION "lru"
#define TW__DEFAULT_ENGINE "native"
#define TW__DEFAULT_RUNTIME "starpu"
#define TW__DEFAULT_REAL_RUNTIME "real" /* default runtime model with engines that compute real kernels */

/* Whether a run explains why it took as long as it did, and in which format. */
enum tw__explain_as { TW__EXPLAIN_NOT, TW__EXPLAIN_TEXT, TW__EXPLAIN_JSON };

/* Objects that a program gives in memory (tilewright/run.h), where users give names. Their interfaces are checked
 * (tw__plugin_check_abi). All NULL: nothing. */
struct tw__own {
	struct tw_graph *graph;
	struct tw__digest graph_digest; /* of `graph`: tw__digest_graph */
	const struct tw_policy *policy;
	const struct tw_policy *const *policies; /* [n_policies] of domains, or NULL; then `policy` is one of them */
	int n_policies;
	const struct tw_eviction *eviction;
	void *context; /* for functions of the two: see tw_sched_context */
};

/* Inputs of a run, as the user wrote them. Strings belong to the caller and must outlive the results. */
struct tw__request {
	const char *platform, *workload, *policy; /* specifications: "mirage", "cholesky:nt=20", "eager" */
	const char *distribution;                 /* --distribution, for clusters; NULL: not given */
	const char *assign;                       /* --assign, for runs with domains; NULL: not given */
	/* Eviction policy; NULL: the scheduling policy's default, or TW__DEFAULT_EVICTION. */
	const char *eviction;
	const char *engine, *runtime; /* engine and runtime model; NULL: TW__DEFAULT_ENGINE, and the engine's default */
	const char *emulate, *check;  /* --emulate and --check, for engines that compute; NULL: not given */
	struct tw__platform_choice choice;
	uint64_t seed;
	int repeat; /* index of this repetition, from 0: the run's seed is seed + repeat */
	bool validate;
	const char *decision_cost; /* --decision-cost: how looks before the run delay it; NULL: not at all */
	const char *noise;   /* random deviations of kernel times: "0.02", "lognormal:0.05", "measured"; NULL: none */
	double belief_error; /* error of the kernel times that policies see: see TW__NOISE_EXPONENT; 0: none */
	const char *speedup, *amdahl, *time_factor; /* numbers of kernels on some archs (perf/factors.h); NULL: none */
	/* Whether the kernels and archs of the three are known to exist: this workload and platform may lack some. */
	bool factors_are_checked;
	bool extrapolate;    /* whether kernel times that were not measured are estimated */
	const char *trace;   /* path of the trace to write; NULL: none */
	double time_limit_s; /* limit of the run's wall time in seconds; 0: none */
	enum tw__explain_as explain;
	const char *learn;  /* --learn, for engines that compute: folder of learnt kernel times; NULL: not given */
	struct tw__own own; /* the names of these are in workload, policy and eviction, with parameters */
	bool lacks_extrapolate, lacks_emulate; /* options that the command lacks: messages do not offer them */
	/* This process, and how many an MPI launcher has started for the run; n_processes <= 1: none. */
	int process, n_processes;
	/* Whether the run's row is text, which has neither identity nor bounds: then nobody finds these. */
	bool is_shown_as_text;
};

/* Returns the run's own seed. */
static inline uint64_t tw__seed_of(const struct tw__request *q) { return q->seed + (uint64_t)q->repeat; }

#endif
