/* A calibration: what was measured of a machine, and what follows from it. */
#ifndef TW__CALIBRATION_H
#define TW__CALIBRATION_H

#include "calibrate/buses.h"
#include "calibrate/estimate.h"
#include "calibrate/identity.h"

/* One kernel on one arch; a row of kernels.csv. */
struct tw__calibrated {
	char *kernel, *arch, *size, *precision; /* one allocation, that of `kernel` */
	char *workload;                         /* whose kernel it is */
	int cores;
	size_t n, capacity;
	struct tw__execution *executions;
	/* Dropped by earlier calibrations, which keep no more than their number. */
	size_t n_dropped[TW__N_VERDICTS];
	double worst_s;
	struct tw__estimate estimate; /* of `executions`; up to date if n is `estimated` */
	size_t estimated;
};

struct tw__calibration {
	struct tw__identity identity;
	struct tw_platform *platform; /* all workers of the machine */
	struct tw__buses buses;
	bool has_buses; /* they are measured */
	int n;
	size_t capacity;
	struct tw__calibrated *kernels;
};

/* The entry, made if it is not there; TW_NOMEM: a negative number. */
int tw__calibration_entry(struct tw__calibration *, const char *workload, const char *kernel, const char *arch,
                          int cores, const char *size, const char *precision);
void tw__calibration_finish(struct tw__calibration *);

/* False: out of memory. */
bool tw__calibrated_add(struct tw__calibrated *, struct tw__execution);
/* Brings the estimate up to date; there is an execution. `verdicts`: [n] to be freed, or NULL. TW_NOMEM. */
int tw__calibrated_estimate(struct tw__calibrated *, enum tw__verdict **verdicts, struct tw_error *err);

/* Of one kernel; once so many count, it is time for others. */
enum { TW__MOST_EXECUTIONS = 2000 };
/* More executions are needed, and there is room for them. */
bool tw__calibrated_is_wide(const struct tw__calibrated *);

#endif
