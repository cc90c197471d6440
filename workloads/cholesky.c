/* Tile Cholesky factorisation, right-looking, of the lower triangle of an n x n matrix: n = nt * nb.
 *
 * The graph has nt(nt+1)(nt+2)/6 tasks, and n^3/3 flops without the lower-order terms, as usual. The order of
 * submission, the priorities, the critical tasks and the hints are those of StarPU's example cholesky_implicit. The
 * panel's tiles are final once written, so each gets the hint "will not be used". */
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 2000, NULL, "tiles per side"},
	{"nb", TW_PARAM_INT, "960", 1, 1000000, NULL, "tile side, in elements"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

struct tiles {
	struct tw_graph *graph;
	tw_data *of; /* [nt * nt] handle of each tile; only the lower triangle is valid */
	int nt;
};

static tw_data tile(const struct tiles *a, int row, int column) { return a->of[row * a->nt + column]; }

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	int nt = (int)tw_args_int(args, "nt");
	int64_t nb = tw_args_int(args, "nb");
	const char *precision = tw_args_text(args, "precision");
	uint64_t element = precision[0] == 's' ? 4 : 8;
	double cube = (double)nb * (double)nb * (double)nb;

	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	tw_kernel potrf = tw_graph_kernel(g, "potrf", size, precision, cube / 3);
	tw_kernel trsm = tw_graph_kernel(g, "trsm", size, precision, cube);
	tw_kernel syrk = tw_graph_kernel(g, "syrk", size, precision, cube);
	tw_kernel gemm = tw_graph_kernel(g, "gemm", size, precision, 2 * cube);

	struct tiles a = {g, malloc((size_t)nt * (size_t)nt * sizeof *a.of), nt};
	if (!a.of)
		return tw_fail(err, TW_NOMEM, "workload 'cholesky': out of memory for %d x %d tiles", nt, nt);
	for (int m = 0; m < nt; m++)
		for (int n = 0; n <= m; n++)
			a.of[m * nt + n] = tw_graph_data(g, (uint64_t)nb * (uint64_t)nb * element);

	for (int k = 0; k < nt; k++) {
		tw_data kk = tile(&a, k, k);
		tw_task task = tw_graph_submit(g, potrf, 2 * nt - 2 * k, (struct tw_access[]){{kk, TW_RW}}, 1);
		tw_graph_mark_critical(g, task);
		for (int m = k + 1; m < nt; m++) {
			task = tw_graph_submit(g, trsm, 2 * nt - 2 * k - m,
			                       (struct tw_access[]){{kk, TW_R}, {tile(&a, m, k), TW_RW}}, 2);
			if (m == k + 1)
				tw_graph_mark_critical(g, task);
		}
		tw_graph_will_not_be_used(g, kk);
		for (int n = k + 1; n < nt; n++) {
			tw_data nk = tile(&a, n, k);
			task = tw_graph_submit(g, syrk, 2 * nt - 2 * k - n,
			                       (struct tw_access[]){{nk, TW_R}, {tile(&a, n, n), TW_RW}}, 2);
			if (n == k + 1)
				tw_graph_mark_critical(g, task);
			for (int m = n + 1; m < nt; m++)
				tw_graph_submit(g, gemm, 2 * nt - 2 * k - m - n,
				                (struct tw_access[]){
							{tile(&a, m, k), TW_R}, {nk, TW_R}, {tile(&a, m, n), TW_RW}},
				                3);
			tw_graph_will_not_be_used(g, nk);
		}
	}
	free(a.of);

	double n = (double)nt * (double)nb;
	tw_graph_set_flops(g, n * n * n / 3);
	tw_graph_set_priority_scope(g, TW_PRIORITY_FOR_SORTING);
	return TW_OK;
}

const struct tw_workload tw_workload_cholesky = {
	.abi = TW_WORKLOAD_ABI,
	.name = "cholesky",
	.summary = "tile Cholesky factorisation, right-looking (potrf, trsm, syrk, gemm)",
	.params = params,
	.generate = generate,
};
