/* A run of the real engine in this process, which a test can manipulate. One scene per process: Check forks for each
 * test.
 *
 * With $SCENE_CUDA, accelerators are not emulated: they are GPUs of the CUDA stand-in in $TILEWRIGHT_CUDA. */
#ifndef SCENE_H
#define SCENE_H

#include <check.h>

#include "experiment/load.h"
#include "engine/real/real.h"

struct scene {
	struct tw__platform *platform;    /* this machine's cores, and accelerators */
	struct tw_graph *graph, *as_made; /* the run's graph; the validator's graph */
	struct tw__times times;
	struct tw__plan plan;
	struct tw__workload_words words;
	struct tw__real_config config;
	struct tw__engine_ops ops; /* the engine's operations, which a test may replace */
	bool allow_any_schedule;   /* skip the validator */
	struct tw__run_counters counters;
	struct tw_error err;
};

struct scene_words {
	const char *workload;
	const char *
		platform; /* the path of a platform's file; NULL: this machine's cores, and accelerators of `emulate` */
	const char *policy;  /* NULL: lws */
	const char *emulate; /* with CUDA: GPUs with that memory; NULL: no accelerators */
	int cpus;
	const char *cpu_groups; /* or NULL */
	int max_parallelism;    /* 0: no parallel tasks */
	const char *runtime;    /* NULL: real */
};

bool scene_uses_cuda(void);

/* Kernels are modelled to take a millisecond on cores, and a tenth of that on accelerators that have them. */
void scene_init(struct scene *, const struct scene_words *);
int scene_run(struct scene *); /* runs, checks the results, and validates */
void scene_finish(struct scene *);

#endif
