/* The kernels of the workloads stencil and life for GPUs. A GPU thread computes the cells of one x, in several rows.
 * nvcc compiles the kernels for GPUs (src/engine/real/cuda/cells.cu). For the CUDA stand-in of the tests, they are
 * compiled for cores. */
#ifndef TW__CELLS_CUDA_H
#define TW__CELLS_CUDA_H

#include "stencil_step.h"

/* X(name of the kernel, type of its argument, function for one cell). The argument has the members `rows` and `nx`. */
#define TW__CUDA_KERNELS(X)                                                     \
	X(tw__stencil_single, struct tw__stencil_step, tw__stencil_cell_single) \
	X(tw__stencil_double, struct tw__stencil_step, tw__stencil_cell_double) \
	X(tw__stencil_bytes, struct tw__stencil_step, tw__stencil_cell_byte)

/* Returns the index of the left or right neighbour of cell x in a row of nx cells. The neighbour of the first or last
 * cell is at the other end of the row. */
TW__CELL int64_t tw__left_of(int64_t x, int64_t nx) { return x > 0 ? x - 1 : nx - 1; }
TW__CELL int64_t tw__right_of(int64_t x, int64_t nx) { return x + 1 < nx ? x + 1 : 0; }

#define TW__STENCIL_CELL(name, real, cell)                                                       \
	TW__CELL void name(const struct tw__stencil_step *step, int64_t row, int64_t x)          \
	{                                                                                        \
		struct tw__rows r;                                                               \
		tw__stencil_rows(&r, step, row);                                                 \
		const real *old = (const real *)r.old, *front = (const real *)r.front;           \
		const real *back = (const real *)r.back, *below = (const real *)r.below;         \
		const real *above = (const real *)r.above;                                       \
		real sum = old[tw__left_of(x, step->nx)] + old[tw__right_of(x, step->nx)];       \
		if (!step->flat)                                                                 \
			sum = sum + front[x] + back[x];                                          \
		((real *)r.to)[x] = cell(old[x], sum + below[x] + above[x], step->flat ? 4 : 6); \
	}
TW__STENCIL_CELL(tw__stencil_cell_single, float, tw__cell_single)
TW__STENCIL_CELL(tw__stencil_cell_double, double, tw__cell_double)

TW__CELL void tw__stencil_cell_byte(const struct tw__stencil_step *step, int64_t row, int64_t x)
{
	struct tw__rows r;
	tw__stencil_rows(&r, step, row);
	const uint8_t *old = (const uint8_t *)r.old, *below = (const uint8_t *)r.below;
	const uint8_t *above = (const uint8_t *)r.above;
	int64_t left = tw__left_of(x, step->nx), right = tw__right_of(x, step->nx);
	int sum = below[x] + above[x];
	if (step->flat)
		sum += old[left] + old[right] + below[left] + below[right] + above[left] + above[right];
	else
		sum += ((const uint8_t *)r.front)[x] + ((const uint8_t *)r.back)[x] +
		       ((const uint8_t *)r.below_front)[x] + ((const uint8_t *)r.below_back)[x] +
		       ((const uint8_t *)r.above_front)[x] + ((const uint8_t *)r.above_back)[x];
	((uint8_t *)r.to)[x] = tw__cell_byte(old[x], (uint8_t)sum);
}

#endif
