/* "The task set of the Cholesky factorization" (Gonthier, Marchal and Thibault 2021, Locality-Aware Scheduling of
 * Independent Tasks, Figure 10): the tasks of workload cholesky without their dependencies. This workload tests orders
 * of independent tasks that share data less regularly than a matrix product.
 *
 * Each task only reads the tiles that it accesses in the factorisation, including the tile that it would update. The
 * order of submission is that of the factorisation, and there are no priorities. The graph has nt(nt+1)(nt+2)/6 tasks
 * and n^3/3 flops, as for cholesky. */
#include <stdio.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 2000, NULL, "tiles per side"},
	{"nb", TW_PARAM_INT, "960", 1, 1000000, NULL, "tile side, in elements"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

/* Returns the handle of a tile. The tiles of the lower triangle are numbered row by row. */
static tw_data tile(int row, int column) { return row * (row + 1) / 2 + column; }

static tw_task read_tiles(struct tw_graph *g, tw_kernel kernel, int n, tw_data first, tw_data second, tw_data third)
{
	return tw_graph_submit(g, kernel, 0, (struct tw_access[]){{first, TW_R}, {second, TW_R}, {third, TW_R}}, n);
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	int nt = (int)tw_args_int(args, "nt");
	int64_t nb = tw_args_int(args, "nb");
	const char *precision = tw_args_text(args, "precision");
	uint64_t bytes = (uint64_t)(nb * nb) * (precision[0] == 's' ? 4 : 8);
	double cube = (double)nb * (double)nb * (double)nb;

	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	tw_kernel potrf = tw_graph_kernel(g, "potrf", size, precision, cube / 3);
	tw_kernel trsm = tw_graph_kernel(g, "trsm", size, precision, cube);
	tw_kernel syrk = tw_graph_kernel(g, "syrk", size, precision, cube);
	tw_kernel gemm = tw_graph_kernel(g, "gemm", size, precision, 2 * cube);

	for (int i = 0; i < nt * (nt + 1) / 2; i++)
		tw_graph_data(g, bytes);
	for (int k = 0; k < nt; k++) {
		read_tiles(g, potrf, 1, tile(k, k), TW_NONE, TW_NONE);
		for (int m = k + 1; m < nt; m++)
			read_tiles(g, trsm, 2, tile(k, k), tile(m, k), TW_NONE);
		for (int n = k + 1; n < nt; n++) {
			if (read_tiles(g, syrk, 2, tile(n, k), tile(n, n), TW_NONE) == TW_NONE)
				return TW_OK; /* tw_graph_finish reports the call that failed */
			for (int m = n + 1; m < nt; m++)
				read_tiles(g, gemm, 3, tile(m, k), tile(n, k), tile(m, n));
		}
	}

	double n = (double)nt * (double)nb;
	tw_graph_set_flops(g, n * n * n / 3);
	return TW_OK;
}

const struct tw_workload tw_workload_cholesky_taskset = {
	.abi = TW_WORKLOAD_ABI,
	.name = "cholesky_taskset",
	.summary = "the tasks of cholesky without their dependencies: they only read (potrf, trsm, syrk, gemm)",
	.params = params,
	.generate = generate,
};
