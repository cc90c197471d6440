/* The measured times of one kernel on one arch, as points for a law; and the choice of the law. */
#ifndef TW__SERIES_H
#define TW__SERIES_H

#include "perf/regression.h"
#include "perf/rows.h"

/* Bytes of the handles that a `size` lists: "960" is one square tile, however many tiles the kernel takes. 0: neither
 * form ("960", "960x3840+3840x960"), or empty. Elements of precisions other than s, d, c, z and b count one byte. */
double tw__size_bytes(const char *size, const char *precision);

/* Whether two sizes have the same shape: as many handles with as many dimensions, all in one proportion. A 1 in both
 * is ignored, so 130x130x1 and 258x258x1 have the same shape. */
bool tw__same_shape(const char *size, const char *other);

struct tw__series {
	int n;
	struct tw__point *points; /* in microseconds */
	int *row;                 /* [n] row numbers of the models */
	double spread;            /* relative standard deviation of one execution: root mean square over the points */
};

/* All rows with that kernel, precision, arch and cores whose size has that shape, in the file's order; n may be 0. */
int tw__series_init(struct tw__series *, const struct tw__models *, const char *kernel, const char *precision,
                    const char *arch, int cores, const char *size, struct tw_error *err);
void tw__series_finish(struct tw__series *);

/* The fits of all laws. A law that could not be fitted has a reason instead. */
struct tw__fits {
	struct tw__fit of[TW__N_LAWS];
	bool fitted[TW__N_LAWS];
	struct tw_error why[TW__N_LAWS];
};
int tw__series_fit(const struct tw__series *, struct tw__fits *); /* TW_OK or TW_NOMEM */

/* The law to use for a size: the one with the least residual among the fitted laws with a time above 0 there.
 * TW__N_LAWS: none. */
enum tw__law tw__fits_best(const struct tw__fits *, double s);

#endif
