/* One time step of a block of the stencil: the neighbours of a row. Cores and GPUs share this code.
 *
 * A layer has `halo` more cells on each side. x is the fastest index, then y, then z. Neighbours along x and y are at
 * the other end of the domain, those along z are in the borders. So the initial content of halos never counts. */
#ifndef TW__STENCIL_STEP_H
#define TW__STENCIL_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "cell.h"

/* A row along x and the 8 rows around it in y and z. All point to its first cell. The domain is a torus along x,
 * too. */
struct tw__rows {
	void *to;
	const void *old, *front, *back;               /* same z; y - 1, y + 1 */
	const void *below, *below_front, *below_back; /* z - 1 */
	const void *above, *above_front, *above_back;
};

struct tw__stencil_step {
	int64_t rows, nx;          /* to compute */
	int64_t z;                 /* the plane of the first of them, with the halo */
	int64_t ny, depth, halo;   /* in cells; ny is 1 without a y axis */
	int64_t row, plane, first; /* in bytes: from row to row, from plane to plane, to the cell where x and y are 0 */
	bool flat;                 /* there is no y axis */
	char *to;                  /* the new layer */
	const char *old;
	const char *bottom, *top; /* borders of the old layer; NULL: it has computed these planes itself */
};

/* The first row of a plane of the old layer; z includes the halo. */
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
