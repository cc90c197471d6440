/* One time step of a block of the workloads stencil and life: the neighbours of a row of cells, and the update of one
 * cell. Cores and GPUs share this code, so both compute the same bits.
 *
 * A layer is the cells of a block at one time step, with `halo` more cells on each side. x is the fastest index, then
 * y, then z. Neighbours along x and y are at the other end of the domain. Neighbours along z are in the borders, which
 * other blocks have written. So the initial content of halos never counts. */
#ifndef TW__STENCIL_STEP_H
#define TW__STENCIL_STEP_H

#include <stdbool.h>
#include <stddef.h>
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

/* The first cells of a row along x and of the 8 rows around it in y and z. The domain is a torus, also along x. */
struct tw__rows {
	void *to;
	const void *old, *front, *back;               /* rows with the same z: the row itself, y - 1, y + 1 */
	const void *below, *below_front, *below_back; /* rows with z - 1: the same y, y - 1, y + 1 */
	const void *above, *above_front, *above_back; /* rows with z + 1: the same y, y - 1, y + 1 */
};

struct tw__stencil_step {
	int64_t rows, nx;          /* number of rows to compute, and of cells of each row */
	int64_t z;                 /* plane of the first row to compute; plane 0 is the first of the halo */
	int64_t ny, depth, halo;   /* cells of a block along y, z, and of its halo; ny is 1 if `flat` */
	int64_t row, plane, first; /* bytes from row to row, from plane to plane, to the cell where x = y = 0 */
	bool flat;                 /* whether there is no y axis */
	char *to;                  /* the layer that the time step writes */
	const char *old;
	const char *bottom, *top; /* borders of the old layer; NULL: the last step has computed these planes */
};

/* Returns the first cell with x = y = 0 of plane z of the old layer; plane 0 is the first of the halo. */
TW__CELL const char *tw__stencil_plane(const struct tw__stencil_step *s, int64_t z)
{
	int64_t above = s->depth + s->halo;
	bool low = s->bottom && z < s->halo, high = s->top && z >= above;
	const char *from = low ? s->bottom : high ? s->top : s->old;
	return from + (high ? z - above : z) * s->plane + s->first;
}

TW__CELL void tw__stencil_rows(struct tw__rows *r, const struct tw__stencil_step *s, int64_t row)
{
	int64_t z = s->z + row / s->ny, y = row % s->ny;
	const char *below = tw__stencil_plane(s, z - 1), *here = tw__stencil_plane(s, z);
	const char *above = tw__stencil_plane(s, z + 1);
	int64_t at = y * s->row, front = (y > 0 ? y - 1 : s->ny - 1) * s->row;
	int64_t back = (y + 1 < s->ny ? y + 1 : 0) * s->row;
	r->to = s->to + z * s->plane + s->first + at;
	r->old = here + at;
	r->front = here + front;
	r->back = here + back;
	r->below = below + at;
	r->below_front = below + front;
	r->below_back = below + back;
	r->above = above + at;
	r->above_front = above + front;
	r->above_back = above + back;
}

#endif
