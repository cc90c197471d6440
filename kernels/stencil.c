/* Kernels of workload stencil: time steps on blocks of a torus that exchange borders. Handles, of each block: two layers of
 * cells; two borders of its lower side, one for each layer; two of its upper side.
 *
 * A layer has `halo` more cells on each side. x is the fastest index, then y, then z. Kernels read the neighbours along x and y
 * at the other end of the domain, and those along z in the borders: no halo has a content that counts. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/kernels.h>

#include "cells.h"
#include "parts.h"

struct shape {
	const struct tw__cells *cells;
	int64_t nx, ny, depth, halo; /* cells; ny is 1 without a y */
	int64_t row, plane;          /* from a row to the next, from a plane to the next, in cells, with halos */
	int64_t first;               /* of a plane, the cell where x and y are 0 */
	int blocks, iterations;
	bool flat;
};

enum { HANDLES_OF_BLOCK = 6 };

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct shape *s = shape;
	char precision = tw_args_text(args, "precision")[0];
	*s = (struct shape){
		.cells = precision == 's'   ? &tw__cells_single
	                 : precision == 'd' ? &tw__cells_double
	                                    : &tw__cells_bytes,
		.nx = tw_args_int(args, "nx"),
		.ny = tw_args_int(args, "ny"),
		.halo = tw_args_int(args, "halo"),
		.blocks = (int)tw_args_int(args, "blocks"),
		.iterations = (int)tw_args_int(args, "iterations"),
		.flat = tw_args_text(args, "dims")[0] == '2',
	};
	s->ny = s->flat ? 1 : s->ny;
	s->depth = tw_args_int(args, "nz") / s->blocks;
	s->row = s->nx + 2 * s->halo;
	s->plane = s->row * (s->flat ? 1 : s->ny + 2 * s->halo);
	s->first = s->halo + (s->flat ? 0 : s->halo * s->row);
	return TW_OK;
}

/* --- codelets ------------------------------------------------------------------------------------------------------ */

/* The planes of a block's interior from `z` on become the neighbour's border, of both layers. */
static int save(const struct tw_call *call, int64_t z)
{
	const struct shape *s = call->shape;
	int64_t plane = s->plane * s->cells->bytes;
	struct tw__range share = tw__share(call, s->halo * plane, 64);
	for (int layer = 0; share.n > 0 && layer < 2; layer++)
		memcpy((char *)call->operands[2 + layer].at + share.from,
		       (const char *)call->operands[layer].at + (s->halo + z) * plane + share.from, (size_t)share.n);
	return 0;
}

static int save_top(const struct tw_call *call)
{
	const struct shape *s = call->shape;
	return save(call, s->depth - s->halo);
}

static int save_bottom(const struct tw_call *call) { return save(call, 0); }

/* The operands of one time step of an update. */
struct step {
	const struct shape *shape;
	char *new;
	const char *old;
	const char *bottom, *top; /* borders of the old layer; NULL: it has computed these planes itself */
};

/* The first row of a plane of the old layer; z counts the halo, too. */
static const char *old_plane(const struct step *step, int64_t z)
{
	const struct shape *s = step->shape;
	int64_t above = s->depth + s->halo;
	bool low = step->bottom && z < s->halo, high = step->top && z >= above;
	const char *from = low ? step->bottom : high ? step->top : step->old;
	return from + ((high ? z - above : z) * s->plane + s->first) * s->cells->bytes;
}

static void compute_row(const struct step *step, int64_t z, int64_t y)
{
	const struct shape *s = step->shape;
	const char *below = old_plane(step, z - 1), *here = old_plane(step, z), *above = old_plane(step, z + 1);
	int64_t row = s->row * s->cells->bytes, at = y * row;
	int64_t front = (y > 0 ? y - 1 : s->ny - 1) * row, back = (y + 1 < s->ny ? y + 1 : 0) * row;
	const struct tw__rows rows = {
		.new = step->new + (z * s->plane + s->first) * s->cells->bytes + at,
		.old = here + at,
		.front = here + front,
		.back = here + back,
		.below = below + at,
		.below_front = below + front,
		.below_back = below + back,
		.above = above + at,
		.above_front = above + front,
		.above_back = above + back,
	};
	s->cells->step(&rows, s->nx, s->flat);
}

/* Operands: the layer that the first time step writes, the one that it reads, the upper borders of both, the lower ones.
 * Time step i reads layer i % 2, and computes what the halo - i steps behind it need. With one time step, rows are
 * independent; with several, parts would have to wait for each other, so the first one computes all. */
static int update(const struct tw_call *call)
{
	const struct shape *s = call->shape;
	int64_t planes = s->depth + 2 * s->halo;
	if (s->halo > 1 && call->part > 0)
		return 0;
	for (int64_t i = 1; i <= s->halo; i++) {
		const struct step step = {
			.shape = s,
			.new = call->operands[(i + 1) % 2].at,
			.old = call->operands[i % 2].at,
			.bottom = i == 1 ? call->operands[5].at : NULL,
			.top = i == 1 ? call->operands[3].at : NULL,
		};
		struct tw__range rows = {0, (planes - 2 * i) * s->ny};
		if (s->halo == 1)
			rows = tw__share(call, rows.n, 1);
		for (int64_t row = rows.from; row < rows.from + rows.n; row++)
			compute_row(&step, i + row / s->ny, row % s->ny);
	}
	return 0;
}

static const struct tw_codelet codelets[] = {
	{"save_cl_top", save_top, NULL, true},
	{"save_cl_bottom", save_bottom, NULL, true},
	{"cl_update", update, NULL, true},
	{0},
};

/* --- content and check --------------------------------------------------------------------------------------------- */

/* Layer 0 holds the first cells. The first save also copies layer 1, though nothing reads that: it is 0, and halos are. */
static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	const struct shape *s = shape;
	int64_t z = d / HANDLES_OF_BLOCK * s->depth;
	if (d % HANDLES_OF_BLOCK > 1)
		return;
	memset(at, 0, bytes);
	for (int64_t row = 0; d % HANDLES_OF_BLOCK == 0 && row < s->depth * s->ny; row++) {
		int64_t cell = (s->halo + row / s->ny) * s->plane + s->first + row % s->ny * s->row;
		s->cells->fill(tw__mix(seed), (z * s->ny + row) * s->nx, s->nx, (char *)at + cell * s->cells->bytes);
	}
}

/* The greatest difference between the blocks and the whole domain. */
static double compare(const struct shape *s, void *const *at, const char *domain)
{
	double greatest = 0;
	int64_t last = s->halo * s->iterations % 2, row_bytes = s->nx * s->cells->bytes;
	for (int64_t row = 0; row < s->depth * s->blocks * s->ny; row++) {
		int64_t z = row / s->ny;
		const char *layer = at[z / s->depth * HANDLES_OF_BLOCK + last];
		int64_t cell = (s->halo + z % s->depth) * s->plane + s->first + row % s->ny * s->row;
		greatest = tw__worse(greatest, s->cells->difference(layer + cell * s->cells->bytes,
		                                                    domain + row * row_bytes, s->nx));
	}
	return greatest;
}

/* The greatest difference to cells that were computed one by one, without blocks, with sums in the same order: 0 is right.
 * Cells are from 0 to 1. */
static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct shape *s = shape;
	const struct tw__domain whole = {s->nx, s->ny, s->depth * s->blocks, s->flat};
	int64_t cells = whole.nx * whole.ny * whole.nz, steps = s->halo * s->iterations;
	char *domain[2] = {calloc((size_t)cells, (size_t)s->cells->bytes),
	                   calloc((size_t)cells, (size_t)s->cells->bytes)};
	if (!domain[0] || !domain[1]) {
		free(domain[0]);
		free(domain[1]);
		return tw__no_memory("stencil", err);
	}
	s->cells->fill(tw__mix(seed), 0, cells, domain[0]);
	for (int64_t t = 0; t < steps; t++)
		s->cells->step_all(&whole, domain[(t + 1) % 2], domain[t % 2]);
	*residual = compare(s, at, domain[steps % 2]);
	free(domain[0]);
	free(domain[1]);
	return tw__verdict("stencil", "the greatest error of a cell", *residual, 0, err);
}

const struct tw_kernels tw_kernels_stencil = {
	.abi = TW_KERNELS_ABI,
	.workload = "stencil",
	.codelets = codelets,
	.shape_bytes = sizeof(struct shape),
	.open = open_shape,
	.fill = fill,
	.check = check,
};
