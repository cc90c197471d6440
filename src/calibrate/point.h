/* Measures one workload on this machine, in a child process. */
#ifndef TW__CALIBRATE_POINT_H
#define TW__CALIBRATE_POINT_H

#include "calibrate/calibration.h"
#include "experiment/load.h"

struct tw__point_setup {
	struct tw__calibration *calibration; /* gets the measurements while the child process runs */
	const struct tw__request *request;   /* the user's request; its seed and emulate are used */
	const struct tw_platform *platform;  /* platform of this machine, with only the workers that measure */
	const struct tw_graph *graph;
	const struct tw__workload_words *words;
	/* [n_kernels * n_archs]: the calibration's entry for each kernel on each arch; TW_NONE: not measured with this
	 * workload */
	const int *entry;
	double limit_s;
	bool measures_buses; /* also measure the links, which the calibration does not have yet */
	/* Called a few times a second; returns false to stop the measurement. `entry`: of the kernel measured last;
	 * TW_NONE: none yet. */
	bool (*tick)(void *context, int entry);
	void *context;
	int stop_fd; /* the measurement also stops when this file descriptor is readable */
};

/* Measures a workload. TW_OK: the measurement is complete or was stopped. TW_FAILED, TW_INVALID: it failed, with the
 * child process's message. Earlier measurements are kept in all cases. */
int tw__point_run(const struct tw__point_setup *, struct tw_error *err);

#endif
