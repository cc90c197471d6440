/* Operations of a stencil on cells of one kind: numbers in single or double precision, or bytes that are dead or
 * alive. */
#ifndef TW__CELLS_H
#define TW__CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "stencil_step.h"

/* The whole domain, for the check. With `flat` there is no y axis: ny is 1. */
struct tw__domain {
	int64_t nx, ny, nz;
	bool flat;
};

struct tw__cells {
	int bytes;
	/* One time step of n cells. A number becomes 0.4 of itself plus 0.6 of the mean of its nearest neighbours, on
	 * both sides along each axis. A byte lives by its 8 neighbours in the plane of y and z, or, with `flat`, of x
	 * and z. */
	void (*step)(const struct tw__rows *, int64_t n, bool flat);
	void (*fill)(uint64_t seed, int64_t place, int64_t n,
	             void *cells); /* n cells, from that place of the domain on */

	/* For the check: one time step of all cells. It sums in the same order as `step`, and shares no code with
	 * it. */
	void (*step_all)(const struct tw__domain *, void *new, const void *old);
	/* The greatest difference of n cells; NaN if one is NaN. Equal cells add nothing. */
	double (*difference)(const void *a, const void *b, int64_t n);
};

extern const struct tw__cells tw__cells_single, tw__cells_double, tw__cells_bytes;

#endif
