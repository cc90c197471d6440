/* The folder of a calibration: platform.xml, kernels.csv and samples.csv, which --platform reads, and calibration.json,
 * which records how they were measured. */
#ifndef TW__CALIBRATE_FILES_H
#define TW__CALIBRATE_FILES_H

#include "calibrate/calibration.h"
#include "calibrate/costs.h"

enum { TW__CALIBRATION_FORMAT = 1 };

/* Contents of calibration.json beside the calibration. */
struct tw__conditions {
	const char *date;    /* "2026-11-23T20:00:00Z" */
	const char *emulate; /* as given; NULL: no emulation */
	int cpus, gpus;      /* busy workers */
	const char *cpu_groups;
	uint64_t seed;
	double load;    /* load average of the system before, from getloadavg; NAN: unknown */
	double seconds; /* duration of this call */
	struct tw__costs costs;
};

/* Writes all files; each replaces the old one atomically. */
int tw__calibration_write(struct tw__calibration *, const char *folder, const struct tw__conditions *,
                          struct tw_error *err);

/* Reads the folder's calibration; `*found`: there is one. calibration.platform must be that of this machine.
 * TW_INVALID: a file is damaged, or the calibration is of another machine. */
int tw__calibration_read(struct tw__calibration *, const char *folder, bool *found, struct tw_error *err);

/* Reads the machine of a folder's calibration; `*found`: there is one. TW_INVALID: it is damaged. */
int tw__calibration_identity(struct tw__identity *, const char *folder, bool *found, struct tw_error *err);

#endif
