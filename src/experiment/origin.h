/* A platform's files, read once for several scenes that differ in workers or workload. */
#ifndef TW__ORIGIN_H
#define TW__ORIGIN_H

#include "request/inputs.h"
#include "experiment/experiment.h"
#include "perf/doubts.h"
#include "perf/models.h"

/* The files of one platform, as read. {0}: no platform has been read yet. */
struct tw__origin {
	char *name; /* name of the platform, as the request gives it */
	bool extrapolate;
	struct tw_platform *all; /* the platform with all its workers */
	char *kernels_path;
	struct tw__models *models; /* kernel times of the platform; NULL: not read yet */
	/* Cores of this machine, if calibrate measured the platform. 0: it did not, or they are unknown. */
	int cores_here;
	double read_s;   /* seconds that reading the files took */
	double spared_s; /* seconds that tw__origin_select saved because `origin` had the files already */
};

/* Makes the part of a platform that the request selects. The caller frees the platform, which may be NULL after an
 * error. Reads the files only if `origin` is of another platform; its models are valid until the next such read. */
int tw__origin_select(struct tw__origin *, struct tw_platform **, const struct tw__request *, struct tw_error *err);
void tw__origin_finish(struct tw__origin *);

struct tw__scene;
/* Returns the scene's platform with all archs; the scene has only those of its workers. */
const struct tw_platform *tw__origin_whole(const struct tw__origin *, const struct tw__scene *);
/* Sets the scene's times, with the speed-ups of its request. `own`: kernel times of this machine; NULL: those of
 * `origin`. */
int tw__origin_bind(const struct tw__origin *, struct tw__scene *, struct tw__models *own, struct tw_error *err);

/* Checks --speedup of a command for several platforms or workloads: TW_INVALID if none of these has a kernel or an arch
 * of an item. Sets `speedup_is_checked` of what all points share. */
int tw__check_speedup(struct tw__inputs *, struct tw_error *err);

#endif
