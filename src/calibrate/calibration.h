/* A calibration: the measurements of a machine, and the estimates from them. */
#ifndef TW__CALIBRATION_H
#define TW__CALIBRATION_H

#include "calibrate/buses.h"
#include "calibrate/estimate.h"
#include "calibrate/identity.h"

/* One kernel on one arch; a row of kernels.csv. */
struct tw__calibrated {
	char *kernel, *arch, *size, *precision; /* one allocation, that of `kernel` */
	char *workload;                         /* the workload that measures it */
	int cores;
	size_t n, capacity;
	struct tw__execution *executions;
	/* Numbers of executions that earlier calibrations dropped; only their numbers are stored. */
	size_t n_dropped[TW__N_VERDICTS];
	double worst_s;
	struct tw__estimate estimate; /* of `executions`; valid if `estimated` equals n */
	size_t estimated;
};

struct tw__calibration {
	struct tw__identity identity;
	struct tw_platform *platform; /* all workers of the machine */
	struct tw__buses buses;
	bool has_buses; /* the links are measured */
	int n;
	size_t capacity;
	struct tw__calibrated *kernels;
};

/* Index of the entry, which is added if it is missing. TW_NOMEM, which is negative: out of memory. */
int tw__calibration_entry(struct tw__calibration *, const char *workload, const char *kernel, const char *arch,
                          int cores, const char *size, const char *precision);
void tw__calibration_finish(struct tw__calibration *);

/* False: out of memory. */
bool tw__calibrated_add(struct tw__calibrated *, struct tw__execution);
/* Updates the estimate; needs at least one execution. `verdicts`: [n], which the caller frees, or NULL. TW_NOMEM. */
int tw__calibrated_estimate(struct tw__calibrated *, enum tw__verdict **verdicts, struct tw_error *err);

/* Limit of executions of one kernel. */
enum { TW__MOST_EXECUTIONS = 2000 };
/* Whether more executions are needed, and the limit is not reached. */
bool tw__calibrated_is_wide(const struct tw__calibrated *);

#endif
