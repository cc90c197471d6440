/* A platform's files, read once for several scenes that differ in workers or workload. */
#ifndef TW__ORIGIN_H
#define TW__ORIGIN_H

#include "experiment/experiment.h"
#include "perf/models.h"

/* {0}: of no platform yet. */
struct tw__origin {
	char *name; /* of the platform, as the request gives it */
	bool extrapolate;
	struct tw_platform *all; /* all its workers */
	char *kernels_path;
	struct tw__models *models; /* NULL: not read yet */
	double read_s;             /* seconds to read it */
	double spared_s;           /* seconds of reading that the last selection did not repeat */
};

/* The platform as selected. The caller frees it; NULL after an error before it was made. Reads the files if the origin
 * is of another platform. Its models are then valid until it reads another platform. */
int tw__origin_select(struct tw__origin *, struct tw_platform **, const struct tw__request *, struct tw_error *err);
void tw__origin_finish(struct tw__origin *);

#endif
