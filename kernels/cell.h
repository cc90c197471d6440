/* The update of one cell. Cores and GPUs share this code, so that both compute the same bits. */
#ifndef TW__CELL_H
#define TW__CELL_H

#include <stdint.h>

#ifdef __CUDACC__
#define TW__CELL static inline __host__ __device__
#else
#define TW__CELL static inline
#endif

/* 0.4 of the cell, plus 0.6 of the mean of its nearest neighbours, whose sum is given. */
TW__CELL float tw__cell_single(float old, float sum, int neighbours)
{
	return 0.4F * old + (neighbours == 4 ? 0.15F : 0.1F) * sum;
}

TW__CELL double tw__cell_double(double old, double sum, int neighbours)
{
	return 0.4 * old + (neighbours == 4 ? 0.15 : 0.1) * sum;
}

/* The game of life, B3/S23: alive with 3 neighbours, or if already alive with 2. */
TW__CELL uint8_t tw__cell_byte(uint8_t old, uint8_t neighbours)
{
	return (uint8_t)((neighbours == 3) | ((neighbours == 2) & old));
}

#endif
