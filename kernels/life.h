/* The shape of the workload life, and the neighbours of a row of cells. Cores and GPUs share the code for
 * neighbours. */
#ifndef TW__LIFE_H
#define TW__LIFE_H

#include "cell.h"

struct tw__life {
	int64_t nx, ny, depth; /* numbers of cells of a block along x, y and z */
	int blocks, iterations;
};

struct tw__life_step {
	int64_t rows, nx, ny; /* rows: number of rows of the block along x, ny in each plane */
	uint8_t *to;
	const uint8_t *old, *below, *above; /* old cells of the block, the one below, the one above */
};

/* Returns the arguments of a step. `at` are the operands of life_update, in order: the new cells, the old cells, those
 * of the block below, those of the block above. With one or two blocks, some of these are the same handle, which a task
 * accesses once. */
static inline struct tw__life_step tw__life_step(const struct tw__life *s, uint8_t *const at[4])
{
	struct tw__life_step step = {s->ny * s->depth, s->nx, s->ny, at[0], at[1], at[1], at[1]};
	if (s->blocks > 1)
		step.below = at[2];
	if (s->blocks > 1)
		step.above = at[s->blocks > 2 ? 3 : 2];
	return step;
}

/* Sets `near` to the first cells of the 8 rows around a row. Returns the first cell of the row itself. */
TW__CELL const uint8_t *tw__life_rows(const uint8_t *near[8], const struct tw__life_step *s, int64_t row)
{
	int64_t y = row % s->ny, plane = s->nx * s->ny;
	const uint8_t *here = s->old + row / s->ny * plane;
	const uint8_t *down = row >= s->ny ? here - plane : s->below + (s->rows / s->ny - 1) * plane;
	const uint8_t *up = row + s->ny < s->rows ? here + plane : s->above;
	int64_t at = y * s->nx, front = (y > 0 ? y - 1 : s->ny - 1) * s->nx;
	int64_t back = (y + 1 < s->ny ? y + 1 : 0) * s->nx;
	near[0] = here + front;
	near[1] = here + back;
	near[2] = down + at;
	near[3] = down + front;
	near[4] = down + back;
	near[5] = up + at;
	near[6] = up + front;
	near[7] = up + back;
	return here + at;
}

#endif
