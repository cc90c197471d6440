/* Calibrates this machine: measures kernels and links, and writes them as a platform's files. */
#ifndef TW__CALIBRATE_H
#define TW__CALIBRATE_H

#include "calibrate/calibration.h"
#include "experiment/experiment.h"

/* Progress of the calibration. */
struct tw__calibrate_progress {
	const char *workload;
	const struct tw__calibrated *last; /* the kernel measured last; NULL: none yet */
	double seconds, limit_s;
	int n, n_narrow; /* number of kernels to measure, and of kernels whose time is already certain */
};

struct tw__calibrate_setup {
	/* must be for the platform `machine`; its choice, emulate and seed are used */
	const struct tw__request *request;
	char *const *workloads;
	int n_workloads;
	const char *folder;
	double limit_s;
	bool force; /* ignore the measurements in the folder, and measure everything again */
	void (*tick)(void *context, const struct tw__calibrate_progress *);
	/* Called when a workload fails; the calibration goes on with the others. */
	void (*failed)(void *context, const char *workload, const char *message);
	void *context;
	int stop_fd; /* the calibration stops when this file descriptor is readable */
};

struct tw__calibrate_result {
	struct tw__calibration calibration; /* the measurements; the caller finishes them, also after an error */
	bool stopped;
	int n_failed; /* number of workloads that failed */
	double seconds;
};

/* The workloads that a calibration measures by default: all that have kernels to execute, with tiles of several sizes.
 * Ends with NULL. */
extern const char *const tw__calibrate_workloads[];

/* Measures the kernels and links whose measurements the folder lacks. Writes the folder's files every few seconds, and
 * at the end. TW_INVALID: the request, a workload or the folder is not valid. */
int tw__calibrate(struct tw__calibrate_result *, const struct tw__calibrate_setup *, struct tw_error *err);

#endif
