/* The shape of the workload stencil. */
#ifndef TW__STENCIL_H
#define TW__STENCIL_H

#include "cells.h"

struct tw__stencil {
	const struct tw__cells *cells;
	int64_t nx, ny, depth, halo; /* cells of a block along x, y, z, and of its halo; ny is 1 if `flat` */
	int64_t row, plane;          /* distances in memory between rows and between planes, in cells, with halos */
	int64_t first;               /* index, in a plane, of the cell where x and y are 0 */
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

#endif
