/* The game of life on a grid of cells that is cut into blocks along z. This is the application StarPU-Stencil of Bramas
 * 2019 (Impact study of data locality on task-based applications, section "Performance study"), with a grid of 1024^3
 * and 32 iterations. In the paper, all tasks are of one type. Each iteration writes each block once, and only the
 * computation of close neighbours reads the block. So a task life_update
 *     writes the new cells of a block, and reads the old cells of the block and of the blocks below and above.
 * Here a block is one handle. StarPU's example instead copies the cells that neighbours read to separate handles; see
 * stencil:precision=b.
 *
 * The grid is a torus, and a cell is a byte. There are blocks x iterations tasks. A cell takes 11 integer operations,
 * counted as flops: 7 sums over 8 neighbours and 4 for the rule (alive with 2, or any with 3). */
#include <stdio.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nx", TW_PARAM_INT, "1024", 1, 1000000, NULL, "cells of the grid along x"},
	{"ny", TW_PARAM_INT, "1024", 1, 1000000, NULL, "along y"},
	{"nz", TW_PARAM_INT, "1024", 1, 1000000, NULL, "along z: a multiple of blocks"},
	{"blocks", TW_PARAM_INT, "64", 1, 1000000, NULL, "blocks along z"},
	{"iterations", TW_PARAM_INT, "32", 1, 1000000, NULL, "generations of cells"},
	{0},
};

enum { MAX_TASKS = 1000 * 1000 * 1000 };

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	int64_t nx = tw_args_int(args, "nx"), ny = tw_args_int(args, "ny"), nz = tw_args_int(args, "nz");
	int blocks = (int)tw_args_int(args, "blocks"), iterations = (int)tw_args_int(args, "iterations");
	if (nz % blocks)
		return tw_fail(err, TW_INVALID, "workload 'life': nz=%lld: expected a multiple of blocks=%d",
		               (long long)nz, blocks);
	if ((int64_t)blocks * iterations > MAX_TASKS)
		return tw_fail(err, TW_INVALID, "workload 'life': blocks=%d, iterations=%d: expected at most %d tasks",
		               blocks, iterations, MAX_TASKS);

	/* With one or two blocks, the neighbours on both sides are the same block, so a task has fewer operands. */
	int n = blocks < 3 ? blocks + 1 : 4;
	char block[40], size[170];
	snprintf(block, sizeof block, "%lldx%lldx%lld", (long long)nx, (long long)ny, (long long)nz / blocks);
	int length = snprintf(size, sizeof size, "%s", block);
	for (int i = 1; i < n; i++)
		length += snprintf(size + length, sizeof size - (size_t)length, "+%s", block);
	double cells = (double)nx * (double)ny * (double)nz;
	tw_kernel update = tw_graph_kernel(g, "life_update", size, "b", 11 * cells / blocks);

	/* Block z of generation t has handle 2 z + t % 2. The grid is a matrix with one column. */
	for (int i = 0; i < 2 * blocks; i++)
		tw_graph_set_tile(g, tw_graph_data(g, (uint64_t)(nx * ny * (nz / blocks))), i / 2, 0);
	for (int t = 0; t < iterations; t++)
		for (int z = 0; z < blocks; z++) {
			int below = (z + blocks - 1) % blocks, above = (z + 1) % blocks, old = t % 2;
			struct tw_access access[] = {{2 * z + !old, TW_W},
			                             {2 * z + old, TW_R},
			                             {2 * below + old, TW_R},
			                             {2 * above + old, TW_R}};
			if (tw_graph_submit(g, update, 0, access, n) == TW_NONE)
				return TW_OK; /* tw_graph_finish reports the call that failed */
		}

	tw_graph_set_flops(g, 11 * cells * iterations);
	return TW_OK;
}

const struct tw_workload tw_workload_life = {
	.abi = TW_WORKLOAD_ABI,
	.name = "life",
	.summary = "game of life on blocks of a grid, each computed from itself and its neighbours (life_update)",
	.params = params,
	.generate = generate,
};
