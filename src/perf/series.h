/* The measured times of one kernel on one arch, as points for laws; and the choice of the best law. */
#ifndef TW__SERIES_H
#define TW__SERIES_H

#include "perf/regression.h"
#include "perf/rows.h"

/* Returns the bytes of the handles that a `size` lists: "960" is one square tile, however many tiles the kernel takes.
 * 0: neither form ("960", "960x3840+3840x960"), or empty. Elements have 1 byte if the precision is not s, d, c or z. */
double tw__size_bytes(const char *size, const char *precision);

/* Whether two sizes have the same shape: as many handles with as many dimensions, all in one proportion. A dimension
 * that is 1 in both sizes is ignored, so 130x130x1 and 258x258x1 have the same shape. */
bool tw__same_shape(const char *size, const char *other);

struct tw__series {
	int n;
	struct tw__point *points; /* [n] sizes in bytes, times in microseconds */
	int *row;                 /* [n] index of each point's row in tw__models.rows */
	double spread;            /* relative standard deviation of one execution: root mean square over the points */
};

/* Collects the rows with that kernel, precision, arch and cores whose size has the shape of `size`, in the file's
 * order. There may be none: then n is 0. */
void tw__series_init(struct tw__series *, const struct tw__models *, const char *kernel, const char *precision,
                     const char *arch, int cores, const char *size);
void tw__series_finish(struct tw__series *);

/* The fits of all laws. fitted[law]: whether of[law] is valid; else why[law] has the reason. */
struct tw__fits {
	struct tw__fit of[TW__N_LAWS];
	bool fitted[TW__N_LAWS];
	struct tw_error why[TW__N_LAWS];
};
void tw__series_fit(const struct tw__series *, struct tw__fits *);

/* Returns the law to use for a size of s bytes: among the fitted laws that give a time above 0 for the size, the one
 * with the least residual. TW__N_LAWS: there is none. */
enum tw__law tw__fits_best(const struct tw__fits *, double s);

#endif
