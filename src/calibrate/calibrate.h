/* Calibration of this machine: from options to files. */
#ifndef TW__CALIBRATE_H
#define TW__CALIBRATE_H

#include "calibrate/calibration.h"
#include "experiment/experiment.h"

/* Progress of the calibration. */
struct tw__calibrate_progress {
	const char *workload;
	const struct tw__calibrated *last; /* the kernel measured last; NULL: none yet */
	double seconds, limit_s;
	int n, n_narrow; /* kernels to measure; those whose time is certain */
};

struct tw__calibrate_setup {
	const struct tw__request *request; /* its platform is `machine`; choice, emulate and seed are used */
	char *const *workloads;
	int n_workloads;
	const char *folder;
	double limit_s;
	bool force; /* ignore the measurements in the folder */
	void (*tick)(void *context, const struct tw__calibrate_progress *);
	/* Called when a workload fails; the others go on. */
	void (*failed)(void *context, const char *workload, const char *message);
	void *context;
	int stop_fd; /* when readable, the calibration stops */
};

struct tw__calibrate_result {
	struct tw__calibration calibration; /* the caller finishes it, also after an error */
	bool stopped;
	int n_failed; /* workloads */
	double seconds;
};

/* Default workloads: all that have kernels, with tiles of several sizes. Ends with NULL. */
extern const char *const tw__calibrate_workloads[];

/* Measures what the folder lacks. Writes the folder's files every few seconds, and at the end. TW_INVALID: nothing was
 * measured. */
int tw__calibrate(struct tw__calibrate_result *, const struct tw__calibrate_setup *, struct tw_error *err);

#endif
