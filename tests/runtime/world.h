/* Everything a run needs, and runs in processes of their own, validated: for the tests of the runtime. */
#ifndef WORLD_H
#define WORLD_H

#include <check.h>
#include <stdio.h>

#include "experiment/load.h"
#include "registry.h"

/* A platform with its kernel times, and a graph. */
struct world {
	struct tw_platform *platform;
	struct tw_graph *graph;
	struct tw__times times;
};

/* From the text of a platform.xml, with the workers and limits chosen. */
void world_platform(struct world *, const char *xml, const struct tw__platform_choice *);
/* Kernel k takes seconds[k * n_archs + arch]; NAN: cannot run there. After the platform and the graph. */
void world_times(struct world *, const double *seconds);
/* mirage with a bound on the memory of its cards, and a Cholesky factorisation. */
void world_mirage(struct world *, int cpus, int gpus, uint64_t gpu_mem_bytes, const char *workload);
void world_finish(struct world *);

/* How to run it. What is NULL: "eager", "lru", "ideal". */
struct setting {
	const char *policy, *eviction, *runtime;
	const struct tw_policy *own_policy;     /* instead of a name */
	const struct tw_eviction *own_eviction; /* same */
	uint64_t seed;
	bool keep_record;
};

/* What came of it. */
struct outcome {
	int status; /* of tw__run; of the validator, if that came to run */
	struct tw_error err;
	bool ran; /* tw__run was content */
	struct tw__run_counters counters;
	uint64_t fingerprint; /* of the record, every byte of it */
	size_t n_events;
	struct tw__event *events; /* with keep_record: free them */
};

/* Runs and validates in a child. A crash, and a run of more than TIME_LIMIT_S seconds, is a failure like others. */
enum { TIME_LIMIT_S = 60 };
struct outcome world_run(const struct world *, const struct setting *);

/* Asserts that all went well; `what` begins the message if not. */
struct outcome world_must_run(const struct world *, const struct setting *, const char *what);

/* What the run would say at once about tasks that never fit. */
bool world_fits(const struct world *, const char *runtime);

#endif
