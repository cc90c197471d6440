/* Kernels of workload stencil: time steps on blocks of a torus that exchange borders. Each block has six handles:
 * two layers of cells; two borders of its lower side, one for each layer; two borders of its upper side.
 *
 * stencil_step.h describes the layout of cells in a layer. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/kernels.h>

#include "parts.h"
#include "stencil.h"

enum { HANDLES_OF_BLOCK = 6 };

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct tw__stencil *s = shape;
	char precision = tw_args_text(args, "precision")[0];
	*s = (struct tw__stencil){
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

/* --- codelets ----------------------------------------------------------------------------------------------------- */

/* Copies `halo` planes of a block's interior, from plane `z` on, to the border of the next block, for both layers. */
static int save(const struct tw_call *call, int64_t z)
{
	const struct tw__stencil *s = call->shape;
	int64_t plane = s->plane * s->cells->bytes;
	struct tw__range share = tw__share(call, s->halo * plane, 64);
	for (int layer = 0; share.n > 0 && layer < 2; layer++)
		memcpy((char *)call->operands[2 + layer].at + share.from,
		       (const char *)call->operands[layer].at + (s->halo + z) * plane + share.from, (size_t)share.n);
	return 0;
}

static int save_top(const struct tw_call *call)
{
	const struct tw__stencil *s = call->shape;
	return save(call, s->depth - s->halo);
}

static int save_bottom(const struct tw_call *call) { return save(call, 0); }

/* Operands: the layer that the first time step writes, the layer that it reads, the upper borders of both, the lower
 * borders of both. Time step i reads layer i % 2, and computes the cells that the remaining halo - i steps need. With
 * one time step, rows are independent. With several, parts would have to wait for each other, so the first part
 * computes all rows. */
static int update(const struct tw_call *call)
{
	const struct tw__stencil *s = call->shape;
	char *at[6];
	if (s->halo > 1 && call->part > 0)
		return 0;
	for (int i = 0; i < 6; i++)
		at[i] = call->operands[i].at;
	for (int64_t i = 1; i <= s->halo; i++) {
		const struct tw__stencil_step step = tw__stencil_step(s, i, at);
		struct tw__range rows = {0, step.rows};
		if (s->halo == 1)
			rows = tw__share(call, rows.n, 1);
		for (int64_t row = rows.from; row < rows.from + rows.n; row++) {
			struct tw__rows near;
			tw__stencil_rows(&near, &step, row);
			s->cells->step(&near, s->nx, s->flat);
		}
	}
	return 0;
}

static const struct tw_codelet codelets[] = {
	{"save_cl_top", save_top, NULL, true},
	{"save_cl_bottom", save_bottom, NULL, true},
	{"cl_update", update, NULL, true},
	{0},
};

/* --- content and check -------------------------------------------------------------------------------------------- */

/* Writes the initial cells to layer 0, and 0 to layer 1 and to halos. The first save also copies layer 1, which no task
 * reads before it is written. */
static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	const struct tw__stencil *s = shape;
	int64_t z = d / HANDLES_OF_BLOCK * s->depth;
	if (d % HANDLES_OF_BLOCK > 1)
		return;
	memset(at, 0, bytes);
	for (int64_t row = 0; d % HANDLES_OF_BLOCK == 0 && row < s->depth * s->ny; row++) {
		int64_t cell = (s->halo + row / s->ny) * s->plane + s->first + row % s->ny * s->row;
		s->cells->fill(tw__mix(seed), (z * s->ny + row) * s->nx, s->nx, (char *)at + cell * s->cells->bytes);
	}
}

/* Returns the greatest difference between cells of the blocks and cells of the whole domain. */
static double compare(const struct tw__stencil *s, void *const *at, const char *domain)
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

/* Sets the residual to the greatest difference to cells that are computed one by one, without blocks, with sums in the
 * same order. It must be 0. Cells are between 0 and 1. */
static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__stencil *s = shape;
	const struct tw__domain whole = {s->nx, s->ny, s->depth * s->blocks, s->flat};
	int64_t cells = whole.nx * whole.ny * whole.nz, steps = s->halo * s->iterations;
	char *domain[2] = {tw_alloc((size_t)cells, (size_t)s->cells->bytes),
	                   tw_alloc((size_t)cells, (size_t)s->cells->bytes)};
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
	.shape_bytes = sizeof(struct tw__stencil),
	.open = open_shape,
	.fill = fill,
	.check = check,
};
