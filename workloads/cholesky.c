/* Tile Cholesky factorisation, right-looking, of the lower triangle of an n x n matrix: n = nt * nb.
 *
 * The graph has nt(nt+1)(nt+2)/6 tasks, and n^3/3 flops without the lower-order terms, as usual. The order of
 * submission, the priorities, the critical tasks and the hints are those of StarPU's example cholesky_implicit. The
 * panel's tiles are final once written, so each gets the hint "will not be used".
 *
 * With parts > 1, some tasks work on blocks of tiles, parts x parts in each (Augonnet 2011, sections 2.2.3 and 4.4).
 * With fine=0, these are the tasks that factorise a panel, while updates work on tiles. With fine=N, they are all tasks
 * of the last N panels: the tile size changes during the run. The runtime divides tiles and joins blocks. With
 * recursive=yes, each task works on tiles or, if its policy splits it, on blocks.
 *
 * The order of submission is by panels, or left-looking by columns or antidiagonals. In the latter orders each tile
 * gets all its updates, and is final. The orders are those of StarPU's example mpi_cholesky_distributed (1.4), and its
 * flushes are those of flush=yes.
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

/* Also those of the factorisation, not of the task set. */
static const struct tw_param params_with_parts[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 2000, NULL, "tiles per side"},
	{"nb", TW_PARAM_INT, "960", 1, 1000000, NULL, "tile side, in elements"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{"parts", TW_PARAM_INT, "1", 1, 64, NULL, "blocks per side of a tile, of which nb is a multiple"},
	{"fine", TW_PARAM_INT, "0", 0, 2000, NULL,
         "panels at the end that work on blocks; 0: only the panels' own tasks"},
	{"recursive", TW_PARAM_FLAG, "no", 0, 0, NULL, "whether policies may split tasks into those on blocks"},
	{"order", TW_PARAM_CHOICE, "panels", 0, 0, "panels|columns|antidiagonals",
         "order of submission: right-looking by panels, or left-looking"},
	{"flush", TW_PARAM_FLAG, "no", 0, 0, NULL,
         "on a cluster, nodes give up the diagonal tile after each trsm, and others after their last reader"},
	{0},
};

/* The kernels for one size of tiles. */
struct kernels {
	tw_kernel potrf, trsm, syrk, gemm;
};

struct cholesky {
	struct tw_graph *graph;
	struct kernels whole, of_parts;
	int nt, nb, parts;
	bool independent; /* whether tasks only read */
	bool recursive, flushes;
};

/* Returns the handle of a tile. The tiles of the lower triangle are numbered row by row. */
static tw_data tile(int row, int column) { return row * (row + 1) / 2 + column; }

/* Returns the handle of a tile's block. Divides the tile if need be. */
static tw_data block_of(const struct cholesky *c, tw_data whole, int row, int column)
{
	const int side = c->nb / c->parts;
	int n;
	tw_data first = tw_graph_parts(c->graph, whole, &n);
	if (first == TW_NONE)
		first = tw_graph_partition_matrix(c->graph, whole, c->nb, c->nb, side, side);
	return first + row * c->parts + column;
}

/* Returns the handle of a block by its row and column in the matrix. */
static tw_data block(const struct cholesky *c, int row, int column)
{
	return block_of(c, tile(row / c->parts, column / c->parts), row % c->parts, column % c->parts);
}

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

/* Submits the update of a block by two others, which are the same on the diagonal. */
static void update_block(const struct cholesky *c, int32_t priority, tw_data mk, tw_data nk, tw_data mn)
{
	if (mk == nk)
		submit(c, c->of_parts.syrk, priority, false, (struct tw_access[]){{nk, TW_R}, {mn, TW_RW}}, 2);
	else
		submit(c, c->of_parts.gemm, priority, false, (struct tw_access[]){{mk, TW_R}, {nk, TW_R}, {mn, TW_RW}},
		       3);
}

/* --- tasks on blocks, inside recursive tasks ---------------------------------------------------------------------- */

static void inside_potrf(const struct cholesky *c, tw_data kk, int32_t priority)
{
	for (int k = 0; k < c->parts; k++) {
		const tw_data of_k = block_of(c, kk, k, k);
		submit(c, c->of_parts.potrf, priority, false, (struct tw_access[]){{of_k, TW_RW}}, 1);
		for (int m = k + 1; m < c->parts; m++)
			submit(c, c->of_parts.trsm, priority, false,
			       (struct tw_access[]){{of_k, TW_R}, {block_of(c, kk, m, k), TW_RW}}, 2);
		for (int n = k + 1; n < c->parts; n++)
			for (int m = n; m < c->parts; m++)
				update_block(c, priority, block_of(c, kk, m, k), block_of(c, kk, n, k),
				             block_of(c, kk, m, n));
	}
}

static void inside_trsm(const struct cholesky *c, tw_data kk, tw_data mk, int32_t priority)
{
	for (int row = 0; row < c->parts; row++)
		for (int k = 0; k < c->parts; k++) {
			for (int l = 0; l < k; l++)
				update_block(c, priority, block_of(c, mk, row, l), block_of(c, kk, k, l),
				             block_of(c, mk, row, k));
			submit(c, c->of_parts.trsm, priority, false,
			       (struct tw_access[]){{block_of(c, kk, k, k), TW_R}, {block_of(c, mk, row, k), TW_RW}},
			       2);
		}
}

/* The update of tile mn by tiles mk and nk. If m = n, only the lower triangle. */
static void inside_update(const struct cholesky *c, tw_data mk, tw_data nk, tw_data mn, int32_t priority)
{
	for (int row = 0; row < c->parts; row++)
		for (int column = 0; column < (mk == nk ? row + 1 : c->parts); column++)
			for (int l = 0; l < c->parts; l++)
				update_block(c, priority, block_of(c, mk, row, l), block_of(c, nk, column, l),
				             block_of(c, mn, row, column));
}

/* --- tasks on tiles ----------------------------------------------------------------------------------------------- */

/* Submits a task on n tiles, with those on blocks inside if it may be split. */
static tw_task submit_on_tiles(const struct cholesky *c, tw_kernel kernel, int priority, bool critical,
                               struct tw_access *access, int n)
{
	const tw_task task = submit(c, kernel, priority, critical, access, n);
	const tw_data updated = access[n - 1].data;
	if (!c->recursive || task == TW_NONE)
		return task;
	tw_graph_begin_recursive(c->graph);
	if (kernel == c->whole.potrf)
		inside_potrf(c, updated, priority);
	else if (kernel == c->whole.trsm)
		inside_trsm(c, access[0].data, updated, priority);
	else
		inside_update(c, access[0].data, access[n - 2].data, updated, priority);
	tw_graph_end_recursive(c->graph);
	return task;
}

static void flush(const struct cholesky *c, tw_data data)
{
	if (c->flushes)
		tw_graph_flush(c->graph, data);
}

static void release(const struct cholesky *c, tw_data data)
{
	flush(c, data);
	if (!c->independent)
		tw_graph_will_not_be_used(c->graph, data);
}

/* Submits the update of tile (m, n) by panel k. */
static tw_task submit_update(const struct cholesky *c, int m, int n, int k)
{
	const int urgency = 2 * c->nt - 2 * k;
	const tw_data nk = tile(n, k);
	if (m == n)
		return submit_on_tiles(c, c->whole.syrk, urgency - n, n == k + 1,
		                       (struct tw_access[]){{nk, TW_R}, {tile(n, n), TW_RW}}, 2);
	return submit_on_tiles(c, c->whole.gemm, urgency - m - n, false,
	                       (struct tw_access[]){{tile(m, k), TW_R}, {nk, TW_R}, {tile(m, n), TW_RW}}, 3);
}

/* Submits the updates by panel k. Returns the last task, or `last` if there are none. */
static tw_task submit_updates(const struct cholesky *c, int k, tw_task last)
{
	const int nt = c->nt;
	for (int n = k + 1; n < nt; n++) {
		last = submit_update(c, n, n, k);
		for (int m = n + 1; m < nt; m++)
			submit_update(c, m, n, k);
		release(c, tile(n, k));
	}
	return last;
}

static tw_task submit_potrf(const struct cholesky *c, int k)
{
	return submit_on_tiles(c, c->whole.potrf, 2 * c->nt - 2 * k, true, (struct tw_access[]){{tile(k, k), TW_RW}},
	                       1);
}

static tw_task submit_trsm(const struct cholesky *c, int m, int k)
{
	return submit_on_tiles(c, c->whole.trsm, 2 * c->nt - 2 * k - m, m == k + 1,
	                       (struct tw_access[]){{tile(k, k), TW_R}, {tile(m, k), TW_RW}}, 2);
}

/* Submits the tasks of panel k and of its updates. Returns the last one. */
static tw_task submit_panel(const struct cholesky *c, int k)
{
	tw_task last = submit_potrf(c, k);
	for (int m = k + 1; m < c->nt; m++) {
		submit_trsm(c, m, k);
		flush(c, tile(k, k));
	}
	release(c, tile(k, k));
	return submit_updates(c, k, last);
}

/* Submits all tasks that write tile (m, n). Returns the last one. Tiles of row n are read last with those of the last
 * row. */
static tw_task submit_tile(const struct cholesky *c, int m, int n)
{
	const bool is_last = m == c->nt - 1;
	for (int k = 0; k < n; k++) {
		submit_update(c, m, n, k);
		if (is_last)
			release(c, tile(n, k));
	}
	const tw_task task = m == n ? submit_potrf(c, n) : submit_trsm(c, m, n);
	if (is_last)
		release(c, tile(n, n));
	return task;
}

static void submit_by_columns(const struct cholesky *c)
{
	for (int n = 0; n < c->nt; n++)
		for (int m = n; m < c->nt; m++)
			if (submit_tile(c, m, n) == TW_NONE)
				return;
}

/* From the first tile to the last one. */
static void submit_by_antidiagonals(const struct cholesky *c)
{
	for (int sum = 0; sum <= 2 * c->nt - 2; sum++)
		for (int n = sum < c->nt ? 0 : sum - c->nt + 1; 2 * n <= sum; n++)
			if (submit_tile(c, sum - n, n) == TW_NONE)
				return;
}

/* Submits the tasks on blocks of the columns `from` up to, without, `to`: right-looking, with updates of these columns
 * only. Returns the last one. Priorities are those of the tiles. */
static tw_task submit_columns(const struct cholesky *c, int from, int to)
{
	const int s = c->parts, rows = c->nt * s;
	const struct kernels *kernel = &c->of_parts;
	tw_task last = 0;
	for (int k = from; k < to && last != TW_NONE; k++) {
		const int urgency = 2 * c->nt - 2 * (k / s);
		const tw_data kk = block(c, k, k);
		last = submit(c, kernel->potrf, urgency, true, (struct tw_access[]){{kk, TW_RW}}, 1);
		for (int m = k + 1; m < rows; m++)
			last = submit(c, kernel->trsm, urgency - m / s, m == k + 1,
			              (struct tw_access[]){{kk, TW_R}, {block(c, m, k), TW_RW}}, 2);
		for (int n = k + 1; n < to && last != TW_NONE; n++) {
			const tw_data nk = block(c, n, k);
			last = submit(c, kernel->syrk, urgency - n / s, n == k + 1,
			              (struct tw_access[]){{nk, TW_R}, {block(c, n, n), TW_RW}}, 2);
			for (int m = n + 1; m < rows; m++)
				last = submit(c, kernel->gemm, urgency - m / s - n / s, false,
				              (struct tw_access[]){
						      {block(c, m, k), TW_R}, {nk, TW_R}, {block(c, m, n), TW_RW}},
				              3);
		}
	}
	return last;
}

static struct kernels kernels(struct tw_graph *g, int64_t nb, const char *precision)
{
	const double cube = (double)nb * (double)nb * (double)nb;
	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	return (struct kernels){.potrf = tw_graph_kernel(g, "potrf", size, precision, cube / 3),
	                        .trsm = tw_graph_kernel(g, "trsm", size, precision, cube),
	                        .syrk = tw_graph_kernel(g, "syrk", size, precision, cube),
	                        .gemm = tw_graph_kernel(g, "gemm", size, precision, 2 * cube)};
}

static void make(struct tw_graph *g, const struct tw_args *args, int parts, int fine, bool recursive, bool independent)
{
	struct cholesky c = {.graph = g,
	                     .nt = (int)tw_args_int(args, "nt"),
	                     .nb = (int)tw_args_int(args, "nb"),
	                     .parts = parts,
	                     .independent = independent,
	                     .recursive = recursive,
	                     .flushes = !independent && tw_args_flag(args, "flush")};
	const char *order = independent ? "panels" : tw_args_text(args, "order");
	const char *precision = tw_args_text(args, "precision");
	const uint64_t bytes = (uint64_t)c.nb * (uint64_t)c.nb * (precision[0] == 's' ? 4 : 8);
	const double n = (double)c.nt * (double)c.nb;
	const int whole = parts == 1 ? c.nt : c.nt - fine; /* panels whose updates work on tiles */

	c.whole = kernels(g, c.nb, precision);
	if (parts > 1)
		c.of_parts = kernels(g, c.nb / parts, precision);
	for (int row = 0; row < c.nt; row++)
		for (int column = 0; column <= row; column++)
			tw_graph_set_tile(g, tw_graph_data(g, bytes), row, column);
	if (*order == 'c')
		submit_by_columns(&c);
	if (*order == 'a')
		submit_by_antidiagonals(&c);
	tw_task last =
		*order == 'p' ? 0 : TW_NONE; /* TW_NONE: all is done; or a call has failed, as tw_graph_finish tells */
	for (int k = 0; k < whole && last != TW_NONE; k++) {
		if (parts == 1 || fine || recursive)
			last = submit_panel(&c, k);
		else
			last = submit_columns(&c, k * parts, (k + 1) * parts);
		if (parts > 1 && !fine && !recursive)
			last = submit_updates(&c, k, last);
	}
	if (whole < c.nt && last != TW_NONE)
		submit_columns(&c, whole * parts, c.nt * parts);
	tw_graph_set_flops(g, n * n * n / 3);
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	const int nt = (int)tw_args_int(args, "nt"), nb = (int)tw_args_int(args, "nb");
	const int parts = (int)tw_args_int(args, "parts"), fine = (int)tw_args_int(args, "fine");
	const bool recursive = tw_args_flag(args, "recursive");
	if (nb % parts)
		return tw_fail(err, TW_INVALID, "workload 'cholesky': parts=%d: expected parts that divide nb=%d",
		               parts, nb);
	if (fine > nt || (fine && parts == 1))
		return tw_fail(err, TW_INVALID,
		               "workload 'cholesky': fine=%d: expected at most nt=%d panels, with several parts", fine,
		               nt);
	if (recursive && (parts == 1 || fine))
		return tw_fail(err, TW_INVALID,
		               "workload 'cholesky': recursive=yes: expected it with several parts, and without fine");
	if (parts > 1 && (*tw_args_text(args, "order") != 'p' || tw_args_flag(args, "flush")))
		return tw_fail(err, TW_INVALID,
		               "workload 'cholesky': parts=%d: expected order=panels and flush=no with several parts",
		               parts);
	make(g, args, parts, fine, recursive, false);
	tw_graph_set_priority_scope(g, TW_PRIORITY_FOR_SORTING);
	return TW_OK;
}

static int generate_taskset(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	make(g, args, 1, 0, false, true);
	return TW_OK;
}

const struct tw_workload tw_workload_cholesky = {
	.abi = TW_WORKLOAD_ABI,
	.name = "cholesky",
	.summary = "tile Cholesky factorisation, right-looking (potrf, trsm, syrk, gemm)",
	.params = params_with_parts,
	.generate = generate,
};

const struct tw_workload tw_workload_cholesky_taskset = {
	.abi = TW_WORKLOAD_ABI,
	.name = "cholesky_taskset",
	.summary = "the tasks of cholesky without their dependencies: they only read (potrf, trsm, syrk, gemm)",
	.params = params,
	.generate = generate_taskset,
};
