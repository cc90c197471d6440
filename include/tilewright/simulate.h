/* Simulates one run from your own program, as the command `tilewright run` does. */
#ifndef TILEWRIGHT_SIMULATE_H
#define TILEWRIGHT_SIMULATE_H

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The options of a run, as on the command line: see `tilewright help run`. The caller owns the strings. New members
 * come at the end; a library takes the smaller structures of programs that were compiled with earlier headers. */
struct tw_simulation {
	size_t size;                              /* of this structure; tw_simulation_init sets it */
	const char *platform, *workload, *policy; /* such as "mirage", "cholesky:nt=20", and "dmdas" or "./mine.so" */
	const char *eviction;                     /* eviction policy; NULL: the policy's default, or lru */
	const char *engine, *runtime;             /* NULL: engine native; runtime starpu, or real if the engine
	                                           * computes */
	int cpus, gpus;                           /* numbers of CPU and GPU workers; negative: all of the platform */
	uint64_t gpu_mem_bytes;                   /* limit of each GPU's memory; 0: the whole memory of the GPU */
	uint64_t seed;
	bool validate;     /* whether to check the schedule; an invalid one makes the run fail */
	const char *trace; /* file for the run's trace, whose extension selects the format; NULL: no trace */
};

struct tw_outcome {
	size_t size;                                /* of this structure; tw_simulate sets it */
	double makespan_s, gflops;                  /* gflops: of the graph's flops; NAN if these are unknown */
	double bound_critical_path_s, bound_area_s; /* lower bounds of the makespan, in seconds */
	double idle_ratio; /* idle share of the workers' time, 0 to 1; NAN if the makespan is 0 */
	int64_t tasks, transfers, evictions;
	uint64_t transferred_bytes; /* bytes of all transfers, each hop counted, write-backs included */
};

/* Sets the defaults: all workers, seed 1, other members 0 or NULL. The caller then sets platform, workload, policy. */
#define tw_simulation_init(simulation) tw_simulation_init_sized(simulation, sizeof *(simulation))
void tw_simulation_init_sized(struct tw_simulation *, size_t size);

/* Runs the simulation. Returns TW_INVALID if the run was refused before its start (a bad option or file, too little
 * memory). Returns TW_FAILED if the run got stuck, or if its schedule is invalid. Sets the outcome only if it returns
 * TW_OK. */
#define tw_simulate(simulation, outcome, err) tw_simulate_sized(simulation, outcome, sizeof *(outcome), err)
int tw_simulate_sized(const struct tw_simulation *, struct tw_outcome *, size_t size, struct tw_error *err);

#ifdef __cplusplus
}
#endif
#endif
