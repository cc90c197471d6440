/* One row of results: from the words of the command line to a result. */
#ifndef TW__EXPERIMENT_H
#define TW__EXPERIMENT_H

#include "platform/platform.h"
#include "runtime/run.h"

/* What to run, in the user's words (NULL: the default). Strings belong to the caller. */
struct tw__request {
	const char *platform, *workload, *policy;
	const char *eviction, *engine, *runtime; /* "lru", "simgrid", "starpu" */
	struct tw__platform_choice choice;
	uint64_t seed;
	int repeat;        /* index of this repetition, from 0 */
	bool validate;
	const char *trace; /* file, or NULL */
};

struct tw__result {
	const struct tw__request *request;
	char status[16];   /* "ok" or "failed" */
	char message[512];
	char *policy, *eviction, *workload, *platform; /* as given */
	int cpus, gpus;
	uint64_t gpu_mem_bytes; /* usable bytes of an accelerator; 0: no accelerator */
	struct tw__run_counters counters;
	double flops, gflops, idle_ratio, bound_critical_path_s;
	double wall_s, tasks_per_s;
	uint64_t peak_rss_bytes;
	bool validated;
};

#endif
