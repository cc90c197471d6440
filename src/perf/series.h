/* The measured times of one kernel on one arch as points of a law: what to fit, and the law to take. */
#ifndef TW__SERIES_H
#define TW__SERIES_H

#include "perf/regression.h"
#include "perf/rows.h"

/* Bytes of the data that a `size` lists, "960" being one square tile however many the kernel takes; 0: it is of neither form
 * ("960", "960x3840+3840x960"), or empty data. Elements of precisions other than s, d, c, z and b count one byte. */
double tw__size_bytes(const char *size, const char *precision);

/* Whether two sizes are one shape: as many data of as many dimensions, all of them in one proportion; a 1 in both counts for
 * nothing, so that 130x130x1 and 258x258x1 are alike. */
bool tw__same_shape(const char *size, const char *other);

struct tw__series {
	int n;
	struct tw__point *points; /* microseconds */
	int *row;                 /* [n] of the models */
	double spread; /* standard deviation of one execution as a part of its mean, over the points: mean square */
};

/* All rows with that kernel, precision, arch and cores whose size is of that shape, in the file's order; n may be 0. */
int tw__series_init(struct tw__series *, const struct tw__models *, const char *kernel, const char *precision,
                    const char *arch, int cores, const char *size, struct tw_error *err);
void tw__series_finish(struct tw__series *);

/* All laws. A law that could not be fitted has its reason. */
struct tw__fits {
	struct tw__fit of[TW__N_LAWS];
	bool fitted[TW__N_LAWS];
	struct tw_error why[TW__N_LAWS];
};
int tw__series_fit(const struct tw__series *, struct tw__fits *); /* TW_OK or TW_NOMEM */

/* The law to take for a size: of those that were fitted and give a time above 0 there, the one with the least residual.
 * TW__N_LAWS: none. */
enum tw__law tw__fits_best(const struct tw__fits *, double s);

#endif
