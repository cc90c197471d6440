/* The files of one platform, read: scenes that differ in workers or workload are made of the same. */
#ifndef TW__ORIGIN_H
#define TW__ORIGIN_H

#include "experiment/experiment.h"
#include "perf/models.h"

/* {0}: of no platform yet. */
struct tw__origin {
	char *name; /* the platform's, as it was asked for */
	bool extrapolate;
	struct tw_platform *all; /* all its workers */
	char *kernels_path;
	struct tw__models *models; /* NULL: not read yet */
	double read_s;             /* the time it took to read this */
	double spared_s;           /* of that, what the last selection did not need again */
};

/* The platform as selected; the caller's, NULL if there was an error before it was made. Reads what the origin does not have; then its models are
 * there, until it reads another platform. */
int tw__origin_select(struct tw__origin *, struct tw_platform **, const struct tw__request *, struct tw_error *err);
void tw__origin_finish(struct tw__origin *);

#endif
