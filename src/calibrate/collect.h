/* Executes kernels until their times are certain. */
#ifndef TW__COLLECT_H
#define TW__COLLECT_H

#include "calibrate/calibration.h"
#include "calibrate/source.h"

struct tw__collect {
	struct tw__calibration *calibration;
	const struct tw__source *source;
	const struct tw_platform *platform; /* the platform whose workers execute the kernels */
	int n_kernels;                      /* number of kernels of the workload */
	/* [n_kernels * n_archs]: the calibration's entry for each kernel on each arch; TW_NONE: not measured with this
	 * workload */
	const int *entry;
	double limit_s; /* time limit of all shifts together, seconds */
	/* Called for each execution. Returns false to stop, because nobody reads the executions any more. */
	bool (*tell)(void *context, int entry, const struct tw__execution *);
	void *context;
};

/* Executes kernels until their times are certain, and adds the executions to the calibration. Each shift (workers that
 * measure at the same time) gets an equal part of the time. After that, kernels without any execution still run
 * once. */
int tw__collect(const struct tw__collect *, struct tw_error *err);

#endif
