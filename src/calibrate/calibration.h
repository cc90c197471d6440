/* A calibration: the measurements of a machine's kernels and links, and the estimates from them. */
#ifndef TW__CALIBRATION_H
#define TW__CALIBRATION_H

#include "calibrate/buses.h"
#include "calibrate/estimate.h"
#include "calibrate/identity.h"

/* The measurements of one kernel on one arch: a row of kernels.csv. */
struct tw__calibrated {
	char *kernel, *arch, *size, *precision; /* all in one allocation, which begins at `kernel` */
	char *workload;                         /* the workload that measures the kernel */
	int cores;
	size_t n, capacity;
	struct tw__execution *executions;
	/* Numbers of executions that earlier calibrations dropped, by reason. calibration.json has these numbers, but
	 * not the executions. */
	size_t n_dropped[TW__N_VERDICTS];
	double worst_s;
	/* estimate from the first `estimated` executions; up to date if `estimated` equals n */
	struct tw__estimate estimate;
	size_t estimated;
};

struct tw__calibration {
	struct tw__identity identity;
	struct tw_platform *platform; /* platform of this machine, with all its workers */
	struct tw__buses buses;
	bool has_buses; /* whether the links are measured */
	int n;
	size_t capacity;
	struct tw__calibrated *kernels;
};

/* Returns the index of a kernel's entry, and adds the entry if it is missing. TW_NOMEM, which is negative: out of
 * memory. */
int tw__calibration_entry(struct tw__calibration *, const char *workload, const char *kernel, const char *arch,
                          int cores, const char *size, const char *precision);
void tw__calibration_finish(struct tw__calibration *);

/* Adds an execution to the entry of a kernel. False: out of memory. */
bool tw__calibrated_add(struct tw__calibrated *, struct tw__execution);
/* Updates the estimate of a kernel's time; needs at least one execution. *verdicts, [n]: the verdict on each execution;
 * the caller frees it. `verdicts` may be NULL. TW_NOMEM: out of memory; no other errors. */
int tw__calibrated_estimate(struct tw__calibrated *, enum tw__verdict **verdicts, struct tw_error *err);

/* A kernel is not measured any more when this many of its executions count for the estimate. */
enum { TW__MOST_EXECUTIONS = 2000 };
/* Whether more executions are needed: the time of the kernel is uncertain, and fewer than TW__MOST_EXECUTIONS count. */
bool tw__calibrated_is_wide(const struct tw__calibrated *);

#endif
