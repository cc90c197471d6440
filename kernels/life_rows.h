/* The game of life (rule B3/S23) on rows of bytes, which are 0 (dead) or 1 (alive). */
#ifndef TW__LIFE_ROWS_H
#define TW__LIFE_ROWS_H

#include "cell.h"

/* Computes the new states of a row of n cells. A cell's neighbours are in the plane of the two other axes: one in each
 * of the 8 rows `near` around this row. */
static inline void tw__life_across(uint8_t *restrict to, const uint8_t *old, const uint8_t *const near[8], int64_t n)
{
	const uint8_t *a = near[0], *b = near[1], *c = near[2], *d = near[3];
	const uint8_t *e = near[4], *f = near[5], *g = near[6], *h = near[7];
	for (int64_t x = 0; x < n; x++) {
		uint8_t sum = (uint8_t)(a[x] + b[x] + c[x] + d[x] + e[x] + f[x] + g[x] + h[x]);
		to[x] = tw__cell_byte(old[x], sum);
	}
}

#endif
