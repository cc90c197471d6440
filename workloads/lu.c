/* Tile LU factorisation without pivoting, right-looking, of an n x n matrix: n = nt * nb.
 *
 * The graph has nt(nt+1)(2nt+1)/6 tasks, and 2n^3/3 flops without the lower-order terms, as usual. The order of
 * submission, the priorities and the hints are those of StarPU's example lu_implicit (xlu_implicit.c of StarPU 1.4).
 * A priority is the task's distance to the end of the graph, in tasks, plus 2. The panel's tiles are final once
 * written, so each gets the hint "will not be used".
 *
 * With parts > 1, tiles of a panel are factorised in blocks, parts x parts in each, while updates work on tiles
 * (Augonnet 2011, sections 2.2.3 and 4.4). The runtime divides tiles and joins blocks. */
#include <stdio.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 1000, NULL, "tiles per side"},
	{"nb", TW_PARAM_INT, "960", 1, 1000000, NULL, "tile side, in elements"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{"parts", TW_PARAM_INT, "1", 1, 64, NULL, "blocks per side of a panel's tile, of which nb is a multiple"},
	{0},
};

/* The kernels for one size of tiles. */
struct kernels {
	tw_kernel getrf, trsm_l, trsm_u, gemm;
};

struct lu {
	struct tw_graph *graph;
	struct kernels whole, of_parts;
	int nt, nb, parts;
};

/* Returns the handle of a tile. The tiles are numbered row by row. */
static tw_data tile(const struct lu *lu, int row, int column) { return row * lu->nt + column; }

/* Returns the priority of the task that writes the tile (row, column) in step k. */
static int32_t priority(const struct lu *lu, int k, int row, int column) { return 3 * lu->nt - k - row - column; }

static void factor(const struct lu *lu, int k)
{
	tw_data kk = tile(lu, k, k);
	tw_graph_submit(lu->graph, lu->whole.getrf, priority(lu, k, k, k), (struct tw_access[]){{kk, TW_RW}}, 1);
	for (int i = k + 1; i < lu->nt; i++) {
		tw_graph_submit(lu->graph, lu->whole.trsm_l, priority(lu, k, k, i),
		                (struct tw_access[]){{kk, TW_R}, {tile(lu, k, i), TW_RW}}, 2);
		tw_graph_submit(lu->graph, lu->whole.trsm_u, priority(lu, k, i, k),
		                (struct tw_access[]){{kk, TW_R}, {tile(lu, i, k), TW_RW}}, 2);
	}
	tw_graph_will_not_be_used(lu->graph, kk);
}

/* Returns the handle of a block, by its row and column in the matrix. Divides its tile if need be. */
static tw_data block(const struct lu *lu, int row, int column)
{
	const tw_data whole = tile(lu, row / lu->parts, column / lu->parts);
	const int side = lu->nb / lu->parts;
	int n;
	tw_data first = tw_graph_parts(lu->graph, whole, &n);
	if (first == TW_NONE)
		first = tw_graph_partition_matrix(lu->graph, whole, lu->nb, lu->nb, side, side);
	return first + row % lu->parts * lu->parts + column % lu->parts;
}

/* As factor, on blocks. Row and column k of blocks update those that follow in the panel. It has the rows and columns
 * from `first` up to, without, `end`. Returns a task; TW_NONE: a call has failed, which tw_graph_finish reports. */
static tw_task factor_blocks(const struct lu *lu, int first, int end)
{
	const int s = lu->parts, n = lu->nt * s;
	tw_task last = 0;
	for (int k = first; k < end && last != TW_NONE; k++) {
		const tw_data kk = block(lu, k, k);
		last = tw_graph_submit(lu->graph, lu->of_parts.getrf, priority(lu, k / s, k / s, k / s),
		                       (struct tw_access[]){{kk, TW_RW}}, 1);
		for (int i = k + 1; i < n; i++) {
			const int32_t level = priority(lu, k / s, k / s, i / s);
			tw_graph_submit(lu->graph, lu->of_parts.trsm_l, level,
			                (struct tw_access[]){{kk, TW_R}, {block(lu, k, i), TW_RW}}, 2);
			tw_graph_submit(lu->graph, lu->of_parts.trsm_u, level,
			                (struct tw_access[]){{kk, TW_R}, {block(lu, i, k), TW_RW}}, 2);
		}
		for (int i = k + 1; i < n && last != TW_NONE; i++)
			for (int j = k + 1; j < (i < end ? n : end); j++)
				last = tw_graph_submit(lu->graph, lu->of_parts.gemm, priority(lu, k / s, i / s, j / s),
				                       (struct tw_access[]){{block(lu, i, k), TW_R},
				                                            {block(lu, k, j), TW_R},
				                                            {block(lu, i, j), TW_RW}},
				                       3);
	}
	return last;
}

static void update(const struct lu *lu, int k)
{
	for (int m = k + 1; m < lu->nt; m++)
		for (int n = k + 1; n < lu->nt; n++)
			tw_graph_submit(lu->graph, lu->whole.gemm, priority(lu, k, m, n),
			                (struct tw_access[]){{tile(lu, m, k), TW_R},
			                                     {tile(lu, k, n), TW_R},
			                                     {tile(lu, m, n), TW_RW}},
			                3);
	for (int i = k + 1; i < lu->nt; i++) {
		tw_graph_will_not_be_used(lu->graph, tile(lu, i, k));
		tw_graph_will_not_be_used(lu->graph, tile(lu, k, i));
	}
}

static struct kernels kernels(struct tw_graph *g, int64_t nb, const char *precision)
{
	const double cube = (double)nb * (double)nb * (double)nb;
	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	return (struct kernels){.getrf = tw_graph_kernel(g, "getrf", size, precision, 2 * cube / 3),
	                        .trsm_l = tw_graph_kernel(g, "trsm_l", size, precision, cube),
	                        .trsm_u = tw_graph_kernel(g, "trsm_u", size, precision, cube),
	                        .gemm = tw_graph_kernel(g, "lu.gemm", size, precision, 2 * cube)};
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct lu lu = {.graph = g,
	                .nt = (int)tw_args_int(args, "nt"),
	                .nb = (int)tw_args_int(args, "nb"),
	                .parts = (int)tw_args_int(args, "parts")};
	const char *precision = tw_args_text(args, "precision");
	const uint64_t tile_bytes = (uint64_t)lu.nb * (uint64_t)lu.nb * (precision[0] == 's' ? 4 : 8);
	const double n = (double)lu.nt * (double)lu.nb;
	if (lu.nb % lu.parts)
		return tw_fail(err, TW_INVALID, "workload 'lu': parts=%d: expected parts that divide nb=%d", lu.parts,
		               lu.nb);

	lu.whole = kernels(g, lu.nb, precision);
	if (lu.parts > 1)
		lu.of_parts = kernels(g, lu.nb / lu.parts, precision);
	for (int i = 0; i < lu.nt * lu.nt; i++)
		tw_graph_set_tile(g, tw_graph_data(g, tile_bytes), i / lu.nt, i % lu.nt);
	tw_task last = 0;
	for (int k = 0; k < lu.nt && last != TW_NONE; k++) {
		if (lu.parts > 1)
			last = factor_blocks(&lu, k * lu.parts, (k + 1) * lu.parts);
		else
			factor(&lu, k);
		update(&lu, k);
	}
	tw_graph_set_flops(g, 2 * n * n * n / 3);
	tw_graph_set_priority_scope(g, TW_PRIORITY_FOR_LOOKING);
	return TW_OK;
}

const struct tw_workload tw_workload_lu = {
	.abi = TW_WORKLOAD_ABI,
	.name = "lu",
	.summary = "tile LU factorisation without pivoting, right-looking (getrf, trsm_l, trsm_u, gemm)",
	.params = params,
	.generate = generate,
};
