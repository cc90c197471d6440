/* Kernels on cells for GPUs: a thread computes cells of one x, in several rows. */
#ifndef TW__CELLS_CUDA_H
#define TW__CELLS_CUDA_H

#include <stdint.h>

struct tw__stencil_step {
	int64_t rows, nx;
};

struct tw__life_step {
	int64_t rows, nx;
};

/* X(name, type of its argument, what it does for a cell): a kernel has one argument, with members `rows` and `nx`. */
#define TW__CUDA_KERNELS(X)                                                     \
	X(tw__stencil_single, struct tw__stencil_step, tw__stencil_cell_single) \
	X(tw__stencil_double, struct tw__stencil_step, tw__stencil_cell_double) \
	X(tw__stencil_bytes, struct tw__stencil_step, tw__stencil_cell_byte)    \
	X(tw__life, struct tw__life_step, tw__life_cell)

#define TW__NO_CELL(name, argument) \
	static inline void name(const argument *step, int64_t row, int64_t x) { (void)step, (void)row, (void)x; }
TW__NO_CELL(tw__stencil_cell_single, struct tw__stencil_step)
TW__NO_CELL(tw__stencil_cell_double, struct tw__stencil_step)
TW__NO_CELL(tw__stencil_cell_byte, struct tw__stencil_step)
TW__NO_CELL(tw__life_cell, struct tw__life_step)

#endif
