/* The real engine, for other folders: its configuration besides the platform and the graph, the GPUs of this machine,
 * and times of its kernels. */
#ifndef TW__REAL_CONFIG_H
#define TW__REAL_CONFIG_H

#include <stdio.h>

#include "engine/engine.h"
#include "platform/gpus.h"

enum tw__check {
	/* the family's check, and a comparison of each handle with a serial run of the same kernels */
	TW__CHECK_FULL,
	TW__CHECK_RESIDUAL, /* only the family's check of the results */
	TW__CHECK_NONE      /* no check of the results */
};

struct tw__job;

struct tw__real_config {
	const struct tw_args *args; /* parameters, as in "real:mode=timed:stretch=8" */
	const char *workload;       /* name of the workload without parameters, as in "cholesky" */
	const struct tw_args *workload_args;
	enum tw__check check;
	bool emulates;       /* accelerators of the platform are emulated; false: they are NVIDIA GPUs */
	bool emulates_mains; /* several main memories are emulated; false: they are NUMA nodes of this machine */
	/* Only for an excerpt of a workload's graph (bench_state.h): [handles] the handle of the workload for each
	 * handle of the excerpt; TW_NONE: no initial content. Handles below `filled_from` are filled later, not when
	 * the engine opens. NULL: the graph is the workload's. */
	const tw_data *origin;
	tw_data filled_from;
	/* For tests that inject faults: the engine calls it with each job in the turn that submits the job; it may
	 * change the job. NULL: none. */
	void (*tamper)(void *context, struct tw__job *);
	void *tamper_context;
};

/* Finds the GPUs that a run can use. A process that has called this function cannot fork any more, so call it in a
 * process of its own. TW_INVALID: there is no usable GPU; err has the reason. TW_FAILED: a CUDA call has failed. */
int tw__real_detect_gpus(struct tw__gpus *, struct tw_error *err);

/* Whether a GPU can run this kernel of the workload. */
bool tw__real_gpus_have(const char *workload, const char *kernel);

/* Measures kernel times of this machine, for a graph that is about to run on it. Runs each kernel of the graph, on its
 * real data, on the workers of each arch, and appends rows in the format of kernels.csv. Stops after `limit_s` seconds,
 * but not before each kernel has run once. Kernels that cannot be split get no row for groups of cores. Kernels that no
 * task runs get no row. */
int tw__real_measure(FILE *, const struct tw__platform *, const struct tw_graph *, const struct tw__real_config *,
                     uint64_t seed, double limit_s, struct tw_error *err);

#endif
