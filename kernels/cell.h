/* The update of one cell of the workloads stencil and life. Cores and GPUs share this code, so both compute the same
 * bits. */
#ifndef TW__CELL_H
#define TW__CELL_H

#include <stdint.h>

#ifdef __CUDACC__
#define TW__CELL static inline __host__ __device__
#else
#define TW__CELL static inline
#endif

/* Returns the new value of a stencil's cell: 0.4 of the old value, plus 0.6 of the mean of its nearest neighbours.
 * `sum` is the sum of these neighbours. */
TW__CELL float tw__cell_single(float old, float sum, int neighbours)
{
	return 0.4F * old + (neighbours == 4 ? 0.15F : 0.1F) * sum;
}

TW__CELL double tw__cell_double(double old, double sum, int neighbours)
{
	return 0.4 * old + (neighbours == 4 ? 0.15 : 0.1) * sum;
}

/* Returns the new state of a cell in the game of life (rule B3/S23). It is alive with 3 living neighbours, or with 2 if
 * it was alive before. */
TW__CELL uint8_t tw__cell_byte(uint8_t old, uint8_t neighbours)
{
	return (uint8_t)((neighbours == 3) | ((neighbours == 2) & old));
}

#endif
