/* The shape of the workloads stencil and life, and the types of their cells. */
#ifndef TW__STENCIL_H
#define TW__STENCIL_H

#include <tilewright/kernels.h>

#include "stencil_step.h"

/* The size of the whole domain in cells, for the check. With `flat` there is no y axis, and ny is 1. */
struct tw__domain {
	int64_t nx, ny, nz;
	bool flat;
};

/* Operations on cells of one type: numbers in single or double precision, or bytes that are dead or alive. */
struct tw__cells {
	int bytes;
	/* Computes one time step of a row of n cells. A number becomes 0.4 of itself plus 0.6 of the mean of its
	 * nearest neighbours, on both sides along each axis. A byte lives by its 8 neighbours in the plane of y and z,
	 * or, with `flat`, of x and z. */
	void (*step)(const struct tw__rows *, int64_t n, bool flat);
	/* Writes the initial values of n cells, from the cell `place` of the domain on. */
	void (*fill)(uint64_t seed, int64_t place, int64_t n, void *cells);

	/* For the check: computes one time step of all cells of the domain. It adds neighbours in the same order as
	 * `step`, and shares no code with `step`. */
	void (*step_all)(const struct tw__domain *, void *new, const void *old);
	/* Returns the greatest difference between n cells of a and b; NaN if a cell is NaN. Equal cells have the
	 * difference 0. */
	double (*difference)(const void *a, const void *b, int64_t n);
};

extern const struct tw__cells tw__cells_single, tw__cells_double, tw__cells_bytes;

struct tw__stencil {
	const struct tw__cells *cells;
	int64_t nx, ny, depth, halo; /* cells of a block along x, y, z, and of its halo; ny is 1 if `flat` */
	int64_t row, plane;          /* distances in memory between rows and between planes, in cells, with halos */
	int64_t first;               /* index of the cell where x and y are 0, in plane 0 */
	int blocks, iterations;
	bool flat;
};

/* Returns the arguments of time step `i` of an update, from 1 to halo. `at` are the operands of cl_update, in order. */
static inline struct tw__stencil_step tw__stencil_step(const struct tw__stencil *s, int64_t i, char *const at[6])
{
	int64_t bytes = s->cells->bytes;
	return (struct tw__stencil_step){
		.rows = (s->depth + 2 * s->halo - 2 * i) * s->ny,
		.nx = s->nx,
		.z = i,
		.ny = s->ny,
		.depth = s->depth,
		.halo = s->halo,
		.row = s->row * bytes,
		.plane = s->plane * bytes,
		.first = s->first * bytes,
		.flat = s->flat,
		.to = at[(i + 1) % 2],
		.old = at[i % 2],
		.bottom = i == 1 ? at[5] : NULL,
		.top = i == 1 ? at[3] : NULL,
	};
}

/* Returns the arguments of life_update, which is a time step with a halo of one plane. Blocks have no room for halos:
 * their plane 0 is plane 1 of the step. The operands are the new cells, the old cells, those of the block below, those
 * of the block above. With one or two blocks, some of these are the same handle, which a task accesses once. */
static inline struct tw__stencil_step tw__life_step(const struct tw__stencil *s, const struct tw_operand *operands)
{
	char *new = operands[0].at, *old = operands[1].at;
	char *below = s->blocks > 1 ? operands[2].at : old, *above = s->blocks > 2 ? operands[3].at : below;
	char *const at[6] = {new, old, NULL, above + s->plane, NULL, below + s->depth * s->plane};
	return tw__stencil_step(s, 1, at);
}

#endif
