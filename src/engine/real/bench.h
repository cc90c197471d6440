/* A bench times kernels and copies of this machine as they are in runs: with the threads and devices of the real
 * engine, all workers busy. */
#ifndef TW__BENCH_H
#define TW__BENCH_H

#include "engine/real/config.h"

struct tw__bench;

struct tw__bench_setup {
	const struct tw__platform *platform;
	const struct tw_graph *graph; /* graph of the whole workload */
	const struct tw__real_config *config;
	uint64_t seed;
	uint64_t copy_bytes; /* greatest size of a copy: the bench times copies alone; 0: kernels alone */
};

/* Opens a bench. TW_INVALID: the workload has no kernels for such workers. After a failure, too, call
 * tw__bench_close. */
int tw__bench_open(struct tw__bench **, const struct tw__bench_setup *, struct tw_error *err);
/* Closes a bench. If a thread of the bench hangs, the memory of the bench is kept until the process ends. */
void tw__bench_close(struct tw__bench *);

/* --- kernels ------------------------------------------------------------------------------------------------------ */

struct tw__timed_kernel {
	tw_worker worker;
	tw_kernel kernel;
	double seconds;
	double launch_s;  /* how long the calls took that launched it on a GPU; 0: no GPU */
	bool interrupted; /* whether the worker's core was preempted meanwhile */
};

/* Returns the number of shifts: groups of workers that are timed at the same time. Emulated accelerators run on the
 * cores of the CPU workers, so they have a shift of their own. */
int tw__bench_n_shifts(const struct tw__bench *);
/* Whether the worker belongs to the shift and runs this kernel. */
bool tw__bench_has(const struct tw__bench *, int shift, tw_worker, tw_kernel);
/* Makes all workers of the shift repeat all their kernels at the same time, until `take` returns false. `take` gets
 * each measurement; calls come from any thread, one at a time. */
int tw__bench_kernels(struct tw__bench *, int shift, bool (*take)(void *context, const struct tw__timed_kernel *),
                      void *context, struct tw_error *err);

/* --- copies ------------------------------------------------------------------------------------------------------- */

struct tw__timed_copy {
	double start, end; /* dates in seconds, on the bench's clock */
};

struct tw__way {
	tw_node from, to;
};

/* Copies bytes[w] bytes along each way w, `n_copies` times in sequence, on all ways at the same time. Fills
 * copies[n_ways][n_copies]. Between main memories, each copy has another place, as no cache is to have it. */
int tw__bench_copies(struct tw__bench *, const struct tw__way *, const uint64_t *bytes, int n_ways, int n_copies,
                     struct tw__timed_copy *copies, struct tw_error *err);

#endif
