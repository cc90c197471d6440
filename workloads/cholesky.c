/* Tile Cholesky factorisation, right-looking, of the lower triangle of an n x n matrix: n = nt * nb.
 *
 * The graph has nt(nt+1)(nt+2)/6 tasks, and n^3/3 flops without the lower-order terms, as usual. The order of
 * submission, the priorities, the critical tasks and the hints are those of StarPU's example cholesky_implicit. The
 * panel's tiles are final once written, so each gets the hint "will not be used".
 *
 * Workload cholesky_taskset is "the task set of the Cholesky factorization" (Gonthier, Marchal and Thibault 2021,
 * Locality-Aware Scheduling of Independent Tasks, Figure 10): the same tasks in the same order, without dependencies
 * and priorities. Each task only reads the tiles that it accesses in the factorisation, including the tile that it
 * would update. It tests orders of independent tasks that share data less regularly than a matrix product. */
#include <stdio.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 2000, NULL, "tiles per side"},
	{"nb", TW_PARAM_INT, "960", 1, 1000000, NULL, "tile side, in elements"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

struct cholesky {
	struct tw_graph *graph;
	tw_kernel potrf, trsm, syrk, gemm;
	int nt;
	bool independent; /* whether tasks only read */
};

/* Returns the handle of a tile. The tiles of the lower triangle are numbered row by row. */
static tw_data tile(int row, int column) { return row * (row + 1) / 2 + column; }

/* Submits a task on n tiles, of which it updates the last one. */
static tw_task submit(const struct cholesky *c, tw_kernel kernel, int priority, bool critical, struct tw_access *access,
                      int n)
{
	access[n - 1].mode = c->independent ? TW_R : TW_RW;
	tw_task task = tw_graph_submit(c->graph, kernel, c->independent ? 0 : priority, access, n);
	if (critical && !c->independent)
		tw_graph_mark_critical(c->graph, task);
	return task;
}

static void release(const struct cholesky *c, tw_data data)
{
	if (!c->independent)
		tw_graph_will_not_be_used(c->graph, data);
}

/* Submits the tasks of panel k and of its updates. Returns the last one. */
static tw_task submit_panel(const struct cholesky *c, int k)
{
	int nt = c->nt, urgency = 2 * nt - 2 * k;
	tw_data kk = tile(k, k);
	tw_task last = submit(c, c->potrf, urgency, true, (struct tw_access[]){{kk, TW_RW}}, 1);
	for (int m = k + 1; m < nt; m++)
		submit(c, c->trsm, urgency - m, m == k + 1, (struct tw_access[]){{kk, TW_R}, {tile(m, k), TW_RW}}, 2);
	release(c, kk);
	for (int n = k + 1; n < nt; n++) {
		tw_data nk = tile(n, k);
		last = submit(c, c->syrk, urgency - n, n == k + 1,
		              (struct tw_access[]){{nk, TW_R}, {tile(n, n), TW_RW}}, 2);
		for (int m = n + 1; m < nt; m++)
			submit(c, c->gemm, urgency - m - n, false,
			       (struct tw_access[]){{tile(m, k), TW_R}, {nk, TW_R}, {tile(m, n), TW_RW}}, 3);
		release(c, nk);
	}
	return last;
}

static void make(struct tw_graph *g, const struct tw_args *args, bool independent)
{
	struct cholesky c = {.graph = g, .nt = (int)tw_args_int(args, "nt"), .independent = independent};
	int64_t nb = tw_args_int(args, "nb");
	const char *precision = tw_args_text(args, "precision");
	uint64_t bytes = (uint64_t)(nb * nb) * (precision[0] == 's' ? 4 : 8);
	double cube = (double)nb * (double)nb * (double)nb, n = (double)c.nt * (double)nb;

	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	c.potrf = tw_graph_kernel(g, "potrf", size, precision, cube / 3);
	c.trsm = tw_graph_kernel(g, "trsm", size, precision, cube);
	c.syrk = tw_graph_kernel(g, "syrk", size, precision, cube);
	c.gemm = tw_graph_kernel(g, "gemm", size, precision, 2 * cube);

	for (int i = 0; i < c.nt * (c.nt + 1) / 2; i++)
		tw_graph_data(g, bytes);
	for (int k = 0; k < c.nt; k++)
		if (submit_panel(&c, k) == TW_NONE)
			return; /* tw_graph_finish reports the call that failed */
	tw_graph_set_flops(g, n * n * n / 3);
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	make(g, args, false);
	tw_graph_set_priority_scope(g, TW_PRIORITY_FOR_SORTING);
	return TW_OK;
}

static int generate_taskset(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	make(g, args, true);
	return TW_OK;
}

const struct tw_workload tw_workload_cholesky = {
	.abi = TW_WORKLOAD_ABI,
	.name = "cholesky",
	.summary = "tile Cholesky factorisation, right-looking (potrf, trsm, syrk, gemm)",
	.params = params,
	.generate = generate,
};

const struct tw_workload tw_workload_cholesky_taskset = {
	.abi = TW_WORKLOAD_ABI,
	.name = "cholesky_taskset",
	.summary = "the tasks of cholesky without their dependencies: they only read (potrf, trsm, syrk, gemm)",
	.params = params,
	.generate = generate_taskset,
};
