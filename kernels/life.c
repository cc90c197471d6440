/* Kernels of workload life: the game of life in each plane of y and z, on a torus. Each block has two handles: the
 * cells of even generations, then those of odd ones. x is the fastest index, then y, then z. */
#include <stdlib.h>

#include <tilewright/kernels.h>

#include "life.h"
#include "life_rows.h"
#include "parts.h"

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct tw__life *s = shape;
	*s = (struct tw__life){
		.nx = tw_args_int(args, "nx"),
		.ny = tw_args_int(args, "ny"),
		.blocks = (int)tw_args_int(args, "blocks"),
		.iterations = (int)tw_args_int(args, "iterations"),
	};
	s->depth = tw_args_int(args, "nz") / s->blocks;
	return TW_OK;
}

/* Computes the next generation of a block. Rows along x are independent, so each part of the task computes some. */
static int life_update(const struct tw_call *call)
{
	uint8_t *at[4] = {0};
	for (int i = 0; i < call->n_operands && i < 4; i++)
		at[i] = call->operands[i].at;
	struct tw__life_step step = tw__life_step(call->shape, at);
	struct tw__range rows = tw__share(call, step.rows, 1);
	for (int64_t row = rows.from; row < rows.from + rows.n; row++) {
		const uint8_t *near[8], *old = tw__life_rows(near, &step, row);
		tw__life_across(step.to + row * step.nx, old, near, step.nx);
	}
	return 0;
}

static const struct tw_codelet codelets[] = {
	{"life_update", life_update, NULL, true},
	{0},
};

/* --- content and check -------------------------------------------------------------------------------------------- */

static uint8_t first_cell(uint64_t seed, int64_t place)
{
	return tw__random_bits(tw__mix(seed), (uint64_t)place) >> 63;
}

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)shape;
	uint8_t *cells = at;
	for (uint64_t i = 0; d % 2 == 0 && i < bytes; i++)
		cells[i] = first_cell(seed, (int64_t)(bytes * (uint64_t)(d / 2) + i));
}

/* Counts the living cells among the 8 neighbours of cell (x, y, z) in the plane of y and z. */
static int count_neighbours(const struct tw__life *s, int64_t nz, const uint8_t *old, int64_t x, int64_t y, int64_t z)
{
	int n = 0;
	for (int dz = -1; dz <= 1; dz++)
		for (int dy = -1; dy <= 1; dy++) {
			int64_t there_y = y + dy < 0 ? s->ny - 1 : y + dy == s->ny ? 0 : y + dy;
			int64_t there_z = z + dz < 0 ? nz - 1 : z + dz == nz ? 0 : z + dz;
			n += dy || dz ? old[x + s->nx * (there_y + s->ny * there_z)] : 0;
		}
	return n;
}

static bool lives(bool alive, int neighbours) { return neighbours == 3 || (alive && neighbours == 2); }

/* Computes one generation of the whole grid, cell by cell. */
static void live(const struct tw__life *s, int64_t nz, uint8_t *new, const uint8_t *old)
{
	int64_t place = 0;
	for (int64_t z = 0; z < nz; z++)
		for (int64_t y = 0; y < s->ny; y++)
			for (int64_t x = 0; x < s->nx; x++, place++)
				new[place] = lives(old[place], count_neighbours(s, nz, old, x, y, z));
}

/* Sets the residual to the fraction of wrong cells, which must be 0. */
static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__life *s = shape;
	int64_t nz = s->depth * s->blocks, cells = s->nx * s->ny * nz, block = s->nx * s->ny * s->depth, wrong = 0;
	uint8_t *grid[2] = {malloc((size_t)cells), malloc((size_t)cells)};
	if (!grid[0] || !grid[1]) {
		free(grid[0]);
		free(grid[1]);
		return tw__no_memory("life", err);
	}
	for (int64_t i = 0; i < cells; i++)
		grid[0][i] = first_cell(seed, i);
	for (int t = 0; t < s->iterations; t++)
		live(s, nz, grid[!(t % 2)], grid[t % 2]);
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
	.shape_bytes = sizeof(struct tw__life),
	.open = open_shape,
	.fill = fill,
	.check = check,
};
