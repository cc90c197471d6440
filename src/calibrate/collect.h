/* Executes kernels until their times are certain. */
#ifndef TW__COLLECT_H
#define TW__COLLECT_H

#include "calibrate/calibration.h"
#include "calibrate/source.h"

struct tw__collect {
	struct tw__calibration *calibration;
	const struct tw__source *source;
	const struct tw_platform *platform; /* of the source */
	int n_kernels;                      /* of the source */
	const int *entry; /* [n_kernels * n_archs] in the calibration; TW_NONE: another workload measures it */
	double limit_s;   /* for all shifts together */
	/* Called for each execution; false: stop, as the reader is gone. */
	bool (*tell)(void *context, int entry, const struct tw__execution *);
	void *context;
};

/* Each shift of workers gets an equal part of the time. After that, kernels without any execution still run once. Adds
 * executions to the calibration. */
int tw__collect(const struct tw__collect *, struct tw_error *err);

#endif
