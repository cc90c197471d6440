/* Configuration of the real engine, besides the platform and the graph. */
#ifndef TW__REAL_CONFIG_H
#define TW__REAL_CONFIG_H

#include "engine/engine.h"

enum tw__check {
	/* The family's check, and a comparison of each handle with a serial run of the same kernels. */
	TW__CHECK_FULL,
	TW__CHECK_RESIDUAL, /* only the family's check */
	TW__CHECK_NONE
};

struct tw__job;

struct tw__real_config {
	const struct tw_args *args; /* "real:mode=timed:stretch=8": see tw__real_params */
	const char *workload;       /* only the name, as in "cholesky" */
	const struct tw_args *workload_args;
	enum tw__check check;
	bool emulates; /* the platform's accelerators are emulated; otherwise they are NVIDIA GPUs */
	/* Only for a part of a workload's graph (part.h): maps the part's handles to the workload's; TW_NONE: it has
	 * no initial content. Handles below `filled_from` are filled later, not at opening. NULL: the graph is the
	 * workload's. */
	const tw_data *origin;
	tw_data filled_from;
	/* For tests that inject faults: called with each job in the turn that submits it, and may change the job.
	 * NULL: none. */
	void (*tamper)(void *context, struct tw__job *);
	void *tamper_context;
};

extern const struct tw_param tw__real_params[];

#endif
