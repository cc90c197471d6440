/* Simulates one run from your own program, as `tilewright run` does. */
#ifndef TILEWRIGHT_SIMULATE_H
#define TILEWRIGHT_SIMULATE_H

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The options of a run, as on the command line: see `tilewright help run`. The caller owns the strings. */
struct tw_simulation {
	const char *platform, *workload, *policy; /* "mirage", "cholesky:nt=20", "dmdas" or "./mine.so" */
	const char *eviction;                     /* NULL: the policy's default, or lru */
	const char *engine, *runtime;             /* NULL: simgrid; starpu, or real if the engine computes */
	int cpus, gpus;                           /* number of workers; negative: all of the platform */
	uint64_t gpu_mem_bytes;                   /* limit of each GPU's memory; 0: the capacity of the card */
	uint64_t seed;
	bool validate;     /* check the schedule; the run fails if it is invalid */
	const char *trace; /* file to write, whose extension selects the format; NULL: none */
};

struct tw_outcome {
	double makespan_s, gflops;                  /* gflops: NAN if the makespan is 0 */
	double bound_critical_path_s, bound_area_s; /* lower bounds of the makespan */
	double idle_ratio; /* idle share of the workers' time, 0 to 1; NAN if the makespan is 0 */
	int64_t tasks, transfers, evictions;
	uint64_t transferred_bytes; /* of all hops, including write-backs */
};

/* Sets all workers, seed 1, and defaults. The caller then sets platform, workload and policy. */
void tw_simulation_init(struct tw_simulation *);

/* Runs the simulation. TW_INVALID: the run was refused before its start (a bad option or file, too little memory).
 * TW_FAILED: the run got stuck, or its schedule is invalid. The outcome is set only if TW_OK is returned. */
int tw_simulate(const struct tw_simulation *, struct tw_outcome *, struct tw_error *err);

#ifdef __cplusplus
}
#endif
#endif
