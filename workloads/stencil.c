/* A stencil over a 2D or 3D domain that is cut into blocks along z, with the tasks of StarPU's example stencil. The
 * default is the 3D stencil of Augonnet 2011, section 7.5 (256 x 256 x 4096 cells in 64 blocks).
 *
 * A block has two layers of cells, the old and the new one, which swap roles. Around each layer is a halo of `halo`
 * cells. The cells that a block needs of its neighbours are in borders, which are separate handles: borders move
 * between memories, and blocks can stay. In each iteration, for each block:
 *     save_cl_top, save_cl_bottom   copy its uppermost and lowermost cells into a border of the neighbour
 *     cl_update                     copies both borders into the halo, and then computes `halo` time steps
 * The domain is a torus: the last block is below the first. There are 3 blocks x iterations tasks.
 *
 * Flops: a time step of a cell takes 2 flops for each axis and 2 more (sum of the neighbours, two products). With cells
 * of one byte it takes 11 integer operations (see life.c). The flops of the graph count each cell once in each time
 * step. The flops of a kernel count all of its work: an update computes in the halo, too, and a save counts one
 * operation for each copied cell. */
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nx", TW_PARAM_INT, "256", 1, 1000000, NULL, "cells of the domain along x"},
	{"ny", TW_PARAM_INT, "256", 1, 1000000, NULL, "along y, for dims=3"},
	{"nz", TW_PARAM_INT, "4096", 1, 1000000000, NULL, "along z: a multiple of blocks"},
	{"blocks", TW_PARAM_INT, "64", 1, 1000000, NULL, "blocks along z"},
	{"iterations", TW_PARAM_INT, "32", 1, 1000000, NULL, "updates of each block"},
	{"halo", TW_PARAM_INT, "1", 1, 1000, NULL, "cells around a block, and time steps of an update"},
	{"dims", TW_PARAM_CHOICE, "3", 0, 0, "2|3", "2: x and z alone"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d|b", "cells of s: 4, d: 8 bytes, b: 1 byte"},
	{0},
};

enum { BOTTOM, TOP };

struct block {
	tw_data layer[2];
	tw_data border[2][2]; /* [side][layer]: cells that the neighbour on that side has saved for this block */
};

struct stencil {
	int64_t nx, ny, depth, halo; /* in cells; depth: of a block along z; halo: around a block */
	int n_blocks, n_iterations;
	bool flat; /* whether the domain is 2D: x and z */
	double layer_bytes, border_bytes;
	const char *precision;
	tw_kernel save[2], update;
	struct block *blocks;
};

/* So that there are fewer than 2^32 accesses, with 14 for each update and its saves. */
enum { MAX_UPDATES = 250 * 1000 * 1000 };

static int read_args(struct stencil *s, const struct tw_args *args, struct tw_error *err)
{
	int64_t nz = tw_args_int(args, "nz");
	*s = (struct stencil){
		.nx = tw_args_int(args, "nx"),
		.ny = tw_args_int(args, "ny"),
		.halo = tw_args_int(args, "halo"),
		.n_blocks = (int)tw_args_int(args, "blocks"),
		.n_iterations = (int)tw_args_int(args, "iterations"),
		.flat = tw_args_text(args, "dims")[0] == '2',
		.precision = tw_args_text(args, "precision"),
	};
	s->depth = nz / s->n_blocks;
	if (s->flat && tw_args_given(args, "ny"))
		return tw_fail(err, TW_INVALID, "workload 'stencil': ny=%lld: expected dims=3 with it",
		               (long long)s->ny);
	if (nz % s->n_blocks)
		return tw_fail(err, TW_INVALID, "workload 'stencil': nz=%lld: expected a multiple of blocks=%d",
		               (long long)nz, s->n_blocks);
	if (s->halo > s->depth)
		return tw_fail(err, TW_INVALID, "workload 'stencil': halo=%lld: expected at most nz / blocks = %lld",
		               (long long)s->halo, (long long)s->depth);
	if ((int64_t)s->n_blocks * s->n_iterations > MAX_UPDATES)
		return tw_fail(err, TW_INVALID,
		               "workload 'stencil': blocks=%d, iterations=%d: expected at most %d updates", s->n_blocks,
		               s->n_iterations, MAX_UPDATES);
	return TW_OK;
}

static double element_bytes(const struct stencil *s)
{
	return s->precision[0] == 'b' ? 1 : s->precision[0] == 's' ? 4 : 8;
}

static int measure(struct stencil *s, struct tw_error *err)
{
	double row = (double)(s->nx + 2 * s->halo), plane = s->flat ? row : row * (double)(s->ny + 2 * s->halo);
	s->layer_bytes = element_bytes(s) * plane * (double)(s->depth + 2 * s->halo);
	s->border_bytes = element_bytes(s) * plane * (double)s->halo;
	double total = s->n_blocks * (2 * s->layer_bytes + 4 * s->border_bytes);
	if (total > 0x1p62)
		return tw_fail(err, TW_INVALID, "workload 'stencil': a domain of %.3g bytes: expected at most 2^62",
		               total);
	return TW_OK;
}

/* Writes the dimensions, in cells, of a layer or border with this depth, as in "258x258x66". */
static void name_size(char *text, size_t room, const struct stencil *s, int64_t depth)
{
	long long x = (long long)(s->nx + 2 * s->halo), y = (long long)(s->ny + 2 * s->halo);
	if (s->flat)
		snprintf(text, room, "%lldx%lld", x, (long long)depth);
	else
		snprintf(text, room, "%lldx%lldx%lld", x, y, (long long)depth);
}

static double flops_of_a_cell(const struct stencil *s) { return s->precision[0] == 'b' ? 11 : s->flat ? 6 : 8; }

static void make_kernels(struct stencil *s, struct tw_graph *g)
{
	char layer[40], border[40], size[250];
	name_size(layer, sizeof layer, s, s->depth + 2 * s->halo);
	name_size(border, sizeof border, s, s->halo);
	snprintf(size, sizeof size, "%s+%s+%s+%s", layer, layer, border, border);
	double copied = 2 * s->border_bytes / element_bytes(s);
	s->save[TOP] = tw_graph_kernel(g, "save_cl_top", size, s->precision, copied);
	s->save[BOTTOM] = tw_graph_kernel(g, "save_cl_bottom", size, s->precision, copied);
	snprintf(size, sizeof size, "%s+%s+%s+%s+%s+%s", layer, layer, border, border, border, border);
	/* Time step i of an update also computes the `halo` - i planes on either side that its later time steps
	 * need. */
	double planes = (double)s->halo * (double)(s->depth + s->halo - 1);
	double plane = (double)s->nx * (s->flat ? 1 : (double)s->ny);
	s->update = tw_graph_kernel(g, "cl_update", size, s->precision, flops_of_a_cell(s) * plane * planes);
}

/* The domain is a matrix with one column. */
static tw_data add_tile(struct tw_graph *g, double bytes, int z)
{
	const tw_data data = tw_graph_data(g, (uint64_t)bytes);
	tw_graph_set_tile(g, data, z, 0);
	return data;
}

static void make_blocks(struct stencil *s, struct tw_graph *g)
{
	for (int z = 0; z < s->n_blocks; z++) {
		struct block *block = &s->blocks[z];
		for (int i = 0; i < 2; i++)
			block->layer[i] = add_tile(g, s->layer_bytes, z);
		for (int side = BOTTOM; side <= TOP; side++)
			for (int i = 0; i < 2; i++)
				block->border[side][i] = add_tile(g, s->border_bytes, z);
	}
}

/* Submits the task that copies the cells of block z at this side to a border of the neighbour there. The border is at
 * the neighbour's opposite side. */
static void save(const struct stencil *s, struct tw_graph *g, int z, int side)
{
	const struct block *block = &s->blocks[z];
	int there = (z + (side == TOP ? 1 : s->n_blocks - 1)) % s->n_blocks;
	const tw_data *border = s->blocks[there].border[side == TOP ? BOTTOM : TOP];
	tw_graph_submit(g, s->save[side], 0,
	                (struct tw_access[]){
				{block->layer[0], TW_R}, {block->layer[1], TW_R}, {border[0], TW_W}, {border[1], TW_W}},
	                4);
}

static tw_task update(const struct stencil *s, struct tw_graph *g, int z, int old)
{
	const struct block *block = &s->blocks[z];
	return tw_graph_submit(g, s->update, 0,
	                       (struct tw_access[]){{block->layer[!old], TW_RW},
	                                            {block->layer[old], TW_RW},
	                                            {block->border[TOP][!old], TW_R},
	                                            {block->border[TOP][old], TW_R},
	                                            {block->border[BOTTOM][!old], TW_R},
	                                            {block->border[BOTTOM][old], TW_R}},
	                       6);
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct stencil s;
	int status = read_args(&s, args, err);
	if (status == TW_OK)
		status = measure(&s, err);
	if (status < 0)
		return status;
	s.blocks = tw_resize(NULL, (size_t)s.n_blocks, sizeof *s.blocks);
	make_kernels(&s, g);
	make_blocks(&s, g);

	tw_task last = 0; /* TW_NONE: a builder function failed, which tw_graph_finish reports */
	for (int iteration = 0; iteration < s.n_iterations && last != TW_NONE; iteration++) {
		for (int z = 0; z < s.n_blocks; z++) {
			save(&s, g, z, TOP);
			save(&s, g, z, BOTTOM);
		}
		for (int z = 0; z < s.n_blocks; z++)
			last = update(&s, g, z, (int)(s.halo * iteration % 2)); /* the layers swap at each time step */
	}
	free(s.blocks);

	double domain = (double)s.nx * (s.flat ? 1 : (double)s.ny) * (double)s.depth * s.n_blocks;
	tw_graph_set_flops(g, flops_of_a_cell(&s) * domain * (double)s.halo * s.n_iterations);
	return TW_OK;
}

const struct tw_workload tw_workload_stencil = {
	.abi = TW_WORKLOAD_ABI,
	.name = "stencil",
	.summary = "stencil on blocks of a domain, with halo exchange (cl_update, save_cl_top, save_cl_bottom)",
	.params = params,
	.generate = generate,
};
