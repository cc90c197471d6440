/* Operations of the workload stencil on cells of one type: numbers in single or double precision, or bytes that are
 * dead or alive. */
#ifndef TW__CELLS_H
#define TW__CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "stencil_step.h"

/* The size of the whole domain in cells, for the check. With `flat` there is no y axis, and ny is 1. */
struct tw__domain {
	int64_t nx, ny, nz;
	bool flat;
};

struct tw__cells {
	int bytes;
	/* Computes one time step of a row of n cells. A number becomes 0.4 of itself plus 0.6 of the mean of its
	 * nearest neighbours, on both sides along each axis. A byte lives by its 8 neighbours in the plane of y and z,
	 * or, with `flat`, of x and z. */
	void (*step)(const struct tw__rows *, int64_t n, bool flat);
	void (*fill)(uint64_t seed, int64_t place, int64_t n,
	             void *cells); /* writes the initial values of n cells, from the cell `place` of the domain on */

	/* For the check: computes one time step of all cells of the domain. It adds neighbours in the same order as
	 * `step`, and shares no code with `step`. */
	void (*step_all)(const struct tw__domain *, void *new, const void *old);
	/* Returns the greatest difference between n cells of a and b; NaN if a cell is NaN. Equal cells have the
	 * difference 0. */
	double (*difference)(const void *a, const void *b, int64_t n);
};

extern const struct tw__cells tw__cells_single, tw__cells_double, tw__cells_bytes;

#endif
