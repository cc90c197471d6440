/* Kernels of workload life: the game of life in each plane of y and z, on a torus. Each block has two handles: the
 * cells of even generations, then those of odd ones. x is the fastest index, then y, then z. */
#include <stdlib.h>

#include <tilewright/kernels.h>

#include "parts.h"
#include "stencil.h"

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct tw__stencil *s = shape;
	*s = (struct tw__stencil){
		.cells = &tw__cells_bytes,
		.nx = tw_args_int(args, "nx"),
		.ny = tw_args_int(args, "ny"),
		.halo = 1,
		.blocks = (int)tw_args_int(args, "blocks"),
		.iterations = (int)tw_args_int(args, "iterations"),
	};
	s->depth = tw_args_int(args, "nz") / s->blocks;
	s->row = s->nx;
	s->plane = s->nx * s->ny;
	s->first = -s->plane;
	return TW_OK;
}

/* Computes the next generation of a block. Rows along x are independent, so each part of the task computes some. */
static int life_update(const struct tw_call *call)
{
	const struct tw__stencil_step step = tw__life_step(call->shape, call->operands);
	struct tw__range rows = tw__share(call, step.rows, 1);
	for (int64_t row = rows.from; row < rows.from + rows.n; row++) {
		struct tw__rows near;
		tw__stencil_rows(&near, &step, row);
		tw__cells_bytes.step(&near, step.nx, false);
	}
	return 0;
}

static const struct tw_codelet codelets[] = {
	{"life_update", life_update, NULL, true},
	{0},
};

/* --- content and check -------------------------------------------------------------------------------------------- */

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)shape;
	if (d % 2 == 0)
		tw__cells_bytes.fill(tw__mix(seed), (int64_t)bytes * (d / 2), (int64_t)bytes, at);
}

/* Sets the residual to the fraction of wrong cells, which must be 0. */
static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__stencil *s = shape;
	const struct tw__domain whole = {s->nx, s->ny, s->depth * s->blocks, false};
	int64_t block = s->plane * s->depth, cells = block * s->blocks, wrong = 0;
	uint8_t *grid[2] = {tw_alloc((size_t)cells, 1), tw_alloc((size_t)cells, 1)};
	tw__cells_bytes.fill(tw__mix(seed), 0, cells, grid[0]);
	for (int t = 0; t < s->iterations; t++)
		tw__cells_bytes.step_all(&whole, grid[!(t % 2)], grid[t % 2]);
	for (int64_t i = 0; i < cells; i++)
		wrong += ((const uint8_t *)at[2 * (i / block) + s->iterations % 2])[i % block] !=
		         grid[s->iterations % 2][i];
	free(grid[0]);
	free(grid[1]);
	*residual = (double)wrong / (double)cells;
	return tw__verdict("life", "the fraction of wrong cells", *residual, 0, err);
}

const struct tw_kernels tw_kernels_life = {
	.abi = TW_KERNELS_ABI,
	.workload = "life",
	.codelets = codelets,
	.shape_bytes = sizeof(struct tw__stencil),
	.open = open_shape,
	.fill = fill,
	.check = check,
};
