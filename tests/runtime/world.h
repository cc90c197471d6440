/* The input of runs, and validated runs in child processes, for the tests of the runtime. */
#ifndef WORLD_H
#define WORLD_H

#include <check.h>
#include <stdio.h>

#include "experiment/load.h"
#include "registry.h"
#include "trace/validate.h"

/* A platform with its kernel times, and a graph. */
struct world {
	struct tw__platform *platform;
	struct tw_graph *graph;
	struct tw__times times;
};

/* Reads the text of a platform.xml, with the chosen workers and limits. */
void world_platform(struct world *, const char *xml, const struct tw__platform_choice *);
/* Sets times: kernel k takes seconds[k * n_archs + arch]; NAN: it cannot run there. Needs the platform and the
 * graph. */
void world_times(struct world *, const double *seconds);
/* Makes platform mirage with a limit on the memory of its cards, and a workload. */
void world_mirage(struct world *, int cpus, int gpus, uint64_t gpu_mem_bytes, const char *workload);
void world_finish(struct world *);

struct outcome;

/* The settings of a run. Defaults for NULL: "eager", "lru", "ideal". */
struct setting {
	const char *policy, *eviction, *runtime;
	const char *assign;                     /* kernels to domains, as --assign does; NULL: none */
	const struct tw_policy *own_policy;     /* instead of `policy` */
	const struct tw_policy *own_child;      /* instead of the one that a parameter `back` names */
	const struct tw_eviction *own_eviction; /* instead of `eviction` */
	uint64_t seed;
	bool keep_record;
	/* Changes what is validated after the run. NULL: nothing is changed. */
	void (*mutate)(struct tw__validation_input *, struct tw__record *);
	bool once; /* for the tests of conformance: neither bounds nor a second process are tried */
	/* Called in the child after a run, valid or not, with the run's input and record; may make the outcome a
	 * failure. NULL: nothing is called. */
	void (*afterwards)(const struct tw__run_input *, struct outcome *);
};

/* The input of a run; the caller finishes the plan. */
struct tw__run_input world_input(const struct world *, const struct setting *, struct tw__plan *);

/* How the run of another engine compares. */
enum twin {
	TWIN_SAME,
	TWIN_UNDECIDED, /* a transfer's end is so close to a whole nanosecond that rounding errors decide its date */
	TWIN_COARSE     /* the same, where rounding errors are more than 0.01 ns: at late dates mostly */
};

/* The outcome of a run. */
struct outcome {
	int status; /* of tw__run, or of the validator if tw__run succeeded */
	struct tw_error err;
	bool ran; /* tw__run succeeded */
	struct tw__run_counters counters;
	uint64_t fingerprint; /* a hash of all bytes of the record */
	enum twin twin;       /* set by `afterwards` */
	size_t n_events;
	struct tw__event *events; /* with keep_record; the caller frees them */
};

/* Runs and validates in a child process. A crash, or a run of more than TIME_LIMIT_S seconds, gives
 * an outcome with an error. */
enum { TIME_LIMIT_S = 60 };
struct outcome world_run(const struct world *, const struct setting *);

/* EVERY=7 in the environment asks tests with many runs to make every seventh one. Returns 1 without it. */
int world_every(void);

/* Runs and asserts success; else the message begins with `what`. */
struct outcome world_must_run(const struct world *, const struct setting *, const char *what);

/* True if all tasks fit the memories; else a run refuses the graph at its start. */
bool world_fits(const struct world *, const char *runtime);

#endif
