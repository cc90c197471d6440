/* The folder of a calibration has platform.xml, kernels.csv and samples.csv, which --platform reads. It also has
 * calibration.json, which records how the other files were measured. */
#ifndef TW__CALIBRATE_FILES_H
#define TW__CALIBRATE_FILES_H

#include "calibrate/calibration.h"
#include "calibrate/costs.h"

enum { TW__CALIBRATION_FORMAT = 1 };

/* Conditions of a calibration, which calibration.json records beside the measurements. */
struct tw__conditions {
	const char *date;    /* date in UTC, as in "2026-11-23T20:00:00Z" */
	const char *emulate; /* value of option --emulate; NULL: no emulated accelerators */
	int cpus, gpus;      /* numbers of CPU workers and of GPUs that were busy */
	const char *cpu_groups;
	uint64_t seed;
	/* load average of the system over a minute, from getloadavg, before the calibration; NAN: unknown */
	double load;
	double seconds; /* duration of this calibration so far */
	struct tw__costs costs;
};

/* Writes all files of the folder. Each file replaces the old one atomically. */
int tw__calibration_write(struct tw__calibration *, const char *folder, const struct tw__conditions *,
                          struct tw_error *err);

/* Reads the calibration in a folder. *found: whether there is one. The calibration's platform, identity and buses must
 * already be those of this machine. TW_INVALID: a file is damaged, or the calibration is of another machine. */
int tw__calibration_read(struct tw__calibration *, const char *folder, bool *found, struct tw_error *err);

/* Reads the identity of the machine on which the calibration in a folder was measured. *found: whether there is a
 * calibration. TW_INVALID: calibration.json is damaged. */
int tw__calibration_identity(struct tw__identity *, const char *folder, bool *found, struct tw_error *err);

#endif
