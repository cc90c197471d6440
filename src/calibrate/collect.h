/* Executions of kernels, until their times are known well enough. */
#ifndef TW__COLLECT_H
#define TW__COLLECT_H

#include "calibrate/calibration.h"
#include "calibrate/source.h"

struct tw__collect {
	struct tw__calibration *calibration;
	const struct tw__source *source;
	const struct tw_platform *platform; /* the source's */
	int n_kernels;                      /* the source's */
	const int *
		entry; /* [n_kernels * n_archs] of the calibration; TW_NONE: of no interest, as another workload has measured it */
	double limit_s; /* for all of it */
	/* Hears of each execution; false: nobody listens any more. */
	bool (*tell)(void *context, int entry, const struct tw__execution *);
	void *context;
};

/* Each shift of workers gets an equal part of the time. When that is over, kernels that have not run yet run once. Adds executions to the
 * calibration. */
int tw__collect(const struct tw__collect *, struct tw_error *err);

#endif
