/* Tile LU factorisation without pivoting, right-looking, of an n x n matrix: n = nt * nb.
 *
 * The graph has nt(nt+1)(2nt+1)/6 tasks, and 2n^3/3 flops without the lower-order terms, as usual. The order of
 * submission, the priorities and the hints are those of StarPU's example lu_implicit (xlu_implicit.c of StarPU 1.4). A
 * priority is the task's distance to the end of the graph, in tasks, plus 2. The panel's tiles are final once written,
 * so each gets the hint "will not be used". */
#include <stdio.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 1000, NULL, "tiles per side"},
	{"nb", TW_PARAM_INT, "960", 1, 1000000, NULL, "tile side, in elements"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

struct lu {
	struct tw_graph *graph;
	tw_kernel getrf, trsm_l, trsm_u, gemm;
	tw_data tiles; /* handle of the first tile; the others follow row by row */
	int nt;
};

static tw_data tile(const struct lu *lu, int row, int column) { return lu->tiles + row * lu->nt + column; }

/* Returns the priority of the task that writes the tile (row, column) in step k. */
static int32_t priority(const struct lu *lu, int k, int row, int column) { return 3 * lu->nt - k - row - column; }

static void factor(const struct lu *lu, int k)
{
	tw_data kk = tile(lu, k, k);
	tw_graph_submit(lu->graph, lu->getrf, priority(lu, k, k, k), (struct tw_access[]){{kk, TW_RW}}, 1);
	for (int i = k + 1; i < lu->nt; i++) {
		tw_graph_submit(lu->graph, lu->trsm_l, priority(lu, k, k, i),
		                (struct tw_access[]){{kk, TW_R}, {tile(lu, k, i), TW_RW}}, 2);
		tw_graph_submit(lu->graph, lu->trsm_u, priority(lu, k, i, k),
		                (struct tw_access[]){{kk, TW_R}, {tile(lu, i, k), TW_RW}}, 2);
	}
	tw_graph_will_not_be_used(lu->graph, kk);
}

static void update(const struct lu *lu, int k)
{
	for (int m = k + 1; m < lu->nt; m++)
		for (int n = k + 1; n < lu->nt; n++)
			tw_graph_submit(lu->graph, lu->gemm, priority(lu, k, m, n),
			                (struct tw_access[]){{tile(lu, m, k), TW_R},
			                                     {tile(lu, k, n), TW_R},
			                                     {tile(lu, m, n), TW_RW}},
			                3);
	for (int i = k + 1; i < lu->nt; i++) {
		tw_graph_will_not_be_used(lu->graph, tile(lu, i, k));
		tw_graph_will_not_be_used(lu->graph, tile(lu, k, i));
	}
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	int64_t nb = tw_args_int(args, "nb");
	const char *precision = tw_args_text(args, "precision");
	uint64_t tile_bytes = (uint64_t)(nb * nb) * (precision[0] == 's' ? 4 : 8);
	double cube = (double)nb * (double)nb * (double)nb;
	struct lu lu = {.graph = g, .nt = (int)tw_args_int(args, "nt")};

	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	lu.getrf = tw_graph_kernel(g, "getrf", size, precision, 2 * cube / 3);
	lu.trsm_l = tw_graph_kernel(g, "trsm_l", size, precision, cube);
	lu.trsm_u = tw_graph_kernel(g, "trsm_u", size, precision, cube);
	lu.gemm = tw_graph_kernel(g, "lu.gemm", size, precision, 2 * cube);

	lu.tiles = tw_graph_data(g, tile_bytes);
	for (int i = 1; i < lu.nt * lu.nt; i++)
		tw_graph_data(g, tile_bytes);
	for (int k = 0; k < lu.nt; k++) {
		factor(&lu, k);
		update(&lu, k);
	}

	double n = (double)lu.nt * (double)nb;
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
