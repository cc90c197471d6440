#include "matrix.h"
#include "stencil.h"

#define REAL float
#define NAME(function) single_##function
#define CELL tw__cell_single
#include "cells_body.h"
#undef REAL
#undef NAME
#undef CELL

#define REAL double
#define NAME(function) double_##function
#define CELL tw__cell_double
#include "cells_body.h"

/* --- bytes -------------------------------------------------------------------------------------------------------- */

/* Computes the cells first .. end - 1 of a row of a flat domain. `left` and `right` are the distances to a cell's
 * neighbours in the row; 3 more neighbours are in each of the rows below and above. */
static void life_2d(const struct tw__rows *r, int64_t first, int64_t end, int64_t left, int64_t right)
{
	uint8_t *restrict to = r->to;
	const uint8_t *old = r->old, *below = r->below, *above = r->above;
	for (int64_t x = first; x < end; x++) {
		uint8_t sum = (uint8_t)(old[x + left] + old[x + right] + below[x] + below[x + left] + below[x + right] +
		                        above[x] + above[x + left] + above[x + right]);
		to[x] = tw__cell_byte(old[x], sum);
	}
}

/* Computes a row of a domain with a y axis. A cell's neighbours are one in each of the 8 rows around this row. */
static void life_3d(const struct tw__rows *r, int64_t n)
{
	uint8_t *restrict to = r->to;
	const uint8_t *old = r->old, *a = r->front, *b = r->back, *c = r->below, *d = r->below_front;
	const uint8_t *e = r->below_back, *f = r->above, *g = r->above_front, *h = r->above_back;
	for (int64_t x = 0; x < n; x++) {
		uint8_t sum = (uint8_t)(a[x] + b[x] + c[x] + d[x] + e[x] + f[x] + g[x] + h[x]);
		to[x] = tw__cell_byte(old[x], sum);
	}
}

static void byte_step(const struct tw__rows *r, int64_t n, bool flat)
{
	if (!flat) {
		life_3d(r, n);
		return;
	}
	life_2d(r, 0, 1, n - 1, n > 1 ? 1 : 0);
	life_2d(r, 1, n - 1, -1, 1);
	if (n > 1)
		life_2d(r, n - 1, n, -1, 1 - n);
}

static void byte_fill(uint64_t seed, int64_t place, int64_t n, void *cells)
{
	for (int64_t i = 0; i < n; i++)
		((uint8_t *)cells)[i] = tw__random_bits(seed, (uint64_t)(place + i)) >> 63;
}

static int64_t wrapped(int64_t i, int64_t n) { return i < 0 ? i + n : i >= n ? i - n : i; }

static void byte_step_all(const struct tw__domain *d, void *to, const void *from)
{
	const uint8_t *old = from;
	uint8_t *new = to;
	for (int64_t z = 0; z < d->nz; z++)
		for (int64_t y = 0; y < d->ny; y++)
			for (int64_t x = 0; x < d->nx; x++, old++) {
				int neighbours = -*old;
				for (int i = -1; i <= 1; i++)
					for (int j = -1; j <= 1; j++) {
						int64_t there_x = d->flat ? wrapped(x + j, d->nx) : x;
						int64_t there_y = d->flat ? y : wrapped(y + j, d->ny);
						int64_t there =
							there_x + d->nx * (there_y + d->ny * wrapped(z + i, d->nz));
						neighbours += ((const uint8_t *)from)[there];
					}
				*new ++ = neighbours == 3 || (*old && neighbours == 2);
			}
}

static double byte_difference(const void *a, const void *b, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
			return 1;
	return 0;
}

#define TABLE(name, size)                                                                               \
	{                                                                                               \
		.bytes = (size), .step = name##_step, .fill = name##_fill, .step_all = name##_step_all, \
		.difference = name##_difference,                                                        \
	}

const struct tw__cells tw__cells_single = TABLE(single, sizeof(float));
const struct tw__cells tw__cells_double = TABLE(double, sizeof(double));
const struct tw__cells tw__cells_bytes = TABLE(byte, 1);
