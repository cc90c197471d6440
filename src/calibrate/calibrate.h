/* Calibration of this machine, from words to files. */
#ifndef TW__CALIBRATE_H
#define TW__CALIBRATE_H

#include "calibrate/calibration.h"
#include "experiment/experiment.h"

/* How far it is. */
struct tw__calibrate_progress {
	const char *workload;
	const struct tw__calibrated *last; /* the kernel that was measured last; NULL: none was */
	double seconds, limit_s;
	int n, n_narrow; /* kernels to be measured; those known well enough */
};

struct tw__calibrate_setup {
	const struct tw__request *request; /* its platform is the machine; choice, emulate and seed count */
	char *const *workloads;
	int n_workloads;
	const char *folder;
	double limit_s;
	bool force; /* what is in the folder does not count */
	void (*tick)(void *context, const struct tw__calibrate_progress *);
	void (*failed)(void *context, const char *workload, const char *message); /* the others go on */
	void *context;
	int stop_fd; /* once it can be read, it ends */
};

struct tw__calibrate_result {
	struct tw__calibration calibration; /* the caller's to finish, whatever is returned */
	bool stopped;
	int n_failed; /* workloads */
	double seconds;
};

/* The workloads that it takes when the user names none: all that have kernels, with tiles of several sizes. Ends with NULL. */
extern const char *const tw__calibrate_workloads[];

/* Measures what the folder lacks, and writes the folder's files some times, and at the end. TW_INVALID: nothing was measured. */
int tw__calibrate(struct tw__calibrate_result *, const struct tw__calibrate_setup *, struct tw_error *err);

#endif
