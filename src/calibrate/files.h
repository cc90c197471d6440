/* The folder of a calibration: platform.xml, kernels.csv and samples.csv, which --platform reads, and calibration.json, which tells how it was
 * made. */
#ifndef TW__CALIBRATE_FILES_H
#define TW__CALIBRATE_FILES_H

#include "calibrate/calibration.h"
#include "calibrate/costs.h"

enum { TW__CALIBRATION_FORMAT = 1 };

/* What calibration.json says beyond the calibration. */
struct tw__conditions {
	const char *date;    /* "2026-11-23T20:00:00Z" */
	const char *emulate; /* as given; NULL: nothing is emulated */
	int cpus, gpus;      /* workers that were busy */
	const char *cpu_groups;
	uint64_t seed;
	double load;    /* of the system before, as getloadavg tells; NAN: it does not */
	double seconds; /* of this call */
	struct tw__costs costs;
};

/* Each file replaces the one that is there, whole. */
int tw__calibration_write(struct tw__calibration *, const char *folder, const struct tw__conditions *,
                          struct tw_error *err);

/* The folder's calibration, if there is one: `*found`. calibration.platform is the machine's already. TW_INVALID: a file is damaged, or the
 * calibration is another machine's. */
int tw__calibration_read(struct tw__calibration *, const char *folder, bool *found, struct tw_error *err);

/* Which machine a folder's calibration is of; `*found`: there is one. TW_INVALID: it is damaged. */
int tw__calibration_identity(struct tw__identity *, const char *folder, bool *found, struct tw_error *err);

#endif
