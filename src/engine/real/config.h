/* Configuration of the real engine, besides the platform and the graph. */
#ifndef TW__REAL_CONFIG_H
#define TW__REAL_CONFIG_H

#include "engine/engine.h"

enum tw__check {
	/* the family's check, and a comparison of each handle with a serial run of the same kernels */
	TW__CHECK_FULL,
	TW__CHECK_RESIDUAL, /* only the family's check of the results */
	TW__CHECK_NONE      /* no check of the results */
};

struct tw__job;

struct tw__real_config {
	const struct tw_args *args; /* parameters, as in "real:mode=timed:stretch=8": see tw__real_params */
	const char *workload;       /* name of the workload without parameters, as in "cholesky" */
	const struct tw_args *workload_args;
	enum tw__check check;
	bool emulates; /* accelerators of the platform are emulated; false: they are NVIDIA GPUs */
	/* Only for a part of a workload's graph (part.h): [handles] the handle of the workload for each handle of the
	 * part; TW_NONE: no initial content. Handles below `filled_from` are filled later, not when the engine opens.
	 * NULL: the graph is the workload's. */
	const tw_data *origin;
	tw_data filled_from;
	/* For tests that inject faults: the engine calls it with each job in the turn that submits the job; it may
	 * change the job. NULL: none. */
	void (*tamper)(void *context, struct tw__job *);
	void *tamper_context;
};

/* The table of the real engine's parameters. */
extern const struct tw_param tw__real_params[];

#endif
