/* Configuration of the real engine, besides platform and graph. */
#ifndef TW__REAL_CONFIG_H
#define TW__REAL_CONFIG_H

#include "engine/engine.h"

enum tw__check {
	TW__CHECK_FULL,     /* the family's check, and each handle against a serial run of the same kernels */
	TW__CHECK_RESIDUAL, /* the family's check alone */
	TW__CHECK_NONE
};

struct tw__job;

struct tw__real_config {
	const struct tw_args *args; /* "real:mode=timed:stretch=8": see tw__real_params */
	const char *workload;       /* its name alone, "cholesky" */
	const struct tw_args *workload_args;
	enum tw__check check;
	bool emulates; /* the platform's accelerators are emulated; otherwise they are NVIDIA's GPUs */
	/* Of a part of the workload's graph (part.h): the workload's handle that each of its handles stands for, TW_NONE for one without content
	 * of its own. Those before `filled_from` get their content later. NULL: the graph is the workload's. */
	const tw_data *origin;
	tw_data filled_from;
	/* For tests that plant faults: sees each job in the turn that gives it, and may change it. NULL: none. */
	void (*tamper)(void *context, struct tw__job *);
	void *tamper_context;
};

extern const struct tw_param tw__real_params[];

#endif
