/* A simulation from a program of your own: what `tilewright run` does, for one run. */
#ifndef TILEWRIGHT_SIMULATE_H
#define TILEWRIGHT_SIMULATE_H

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run, in the words of the command line: `tilewright help run`. Strings belong to the caller. */
struct tw_simulation {
	const char *platform, *workload, *policy; /* "mirage", "cholesky:nt=20", "dmdas" or "./mine.so" */
	const char *eviction;                     /* NULL: the policy's own, or lru */
	const char *engine, *runtime;             /* NULL: simgrid; starpu, or real for an engine that computes */
	int cpus, gpus;                           /* workers; negative: all that the platform has */
	uint64_t gpu_mem_bytes;                   /* bound of each GPU's memory; 0: the card's own */
	uint64_t seed;
	bool validate;     /* checks the schedule: one that is wrong is a run that failed */
	const char *trace; /* file to write; its extension says the format. NULL: none */
};

struct tw_outcome {
	double makespan_s, gflops;                  /* gflops: NAN where the makespan is 0 */
	double bound_critical_path_s, bound_area_s; /* no schedule is shorter than either */
	double idle_ratio;                          /* of the workers' time, 0 to 1; NAN where the makespan is 0 */
	int64_t tasks, transfers, evictions;
	uint64_t transferred_bytes; /* every hop, write-backs included */
};

/* All workers, seed 1, defaults for the rest; platform, workload and policy are yet to be set. */
void tw_simulation_init(struct tw_simulation *);

/* Runs it. TW_INVALID: it was refused before it began (a word, a file, too little memory). TW_FAILED: the run got stuck, or
 * its schedule is wrong. The outcome is set when TW_OK is returned. */
int tw_simulate(const struct tw_simulation *, struct tw_outcome *, struct tw_error *err);

#ifdef __cplusplus
}
#endif
#endif
