/* Tile QR factorisation of an m x n matrix: m = mt * nb rows, n = nt * nb columns, m >= n.
 *
 * A panel is cut into domains of tile rows. Each domain is factored on its own (geqrt, then tsqrt row by row); then a
 * binary tree merges the triangles of the domains (ttqrt). Each transformation of the panel is also applied to the
 * tiles on its right (ormqr, tsmqr, ttmqr). Tile QR has one domain; "communication-avoiding" QR (CAQR) has several
 * (Augonnet 2011, section 7.3).
 *
 * The loops, the accesses and the hints are those of the libraries PLASMA (its QR with "Householder reduction") and
 * Chameleon. As there, each factor T of ib x nb elements has a handle of its own.
 *
 * There are sum over k < nt of (nt - k)(mt - k + d(k) - 1) tasks, with d(k) domains in panel k, plus d(k) copies
 * (lacpy) if copy_diagonal=yes. The graph has 2n^2(m - n/3) flops, without the lower-order terms, for all domains.
 * Flops of the kernels: Buttari et al. 2009 (geqrt, ormqr, tsqrt, tsmqr), Bouwmeester et al. 2011 (ttqrt, ttmqr). */
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 1000, NULL, "tiles in a row"},
	{"mt", TW_PARAM_INT, "0", 0, 100000, NULL, "tiles in a column, nt or more; 0: nt"},
	{"nb", TW_PARAM_INT, "960", 1, 1000000, NULL, "tile side, in elements"},
	{"ib", TW_PARAM_INT, "128", 0, 1000000, NULL, "rows of a factor T, at most nb; 0: factors have no handles"},
	{"tree", TW_PARAM_CHOICE, "flat", 0, 0, "flat|binary|domains",
         "one domain; domains of one row; or as many as parameter domains says"},
	{"domains", TW_PARAM_INT, "1", 1, 100000, NULL,
         "number of domains, of ceil(mt / domains) rows, for tree=domains"},
	{"copy_diagonal", TW_PARAM_FLAG, "no", 0, 0, NULL,
         "yes: ormqr reads a copy, so that tsqrt does not wait for it"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

/* So that there are fewer than 2^32 accesses, with at most 4 per task. */
enum { N_KERNELS = 7, MAX_TASKS = 500 * 1000 * 1000 };

struct elimination {
	/* Kill: kernel that eliminates a tile row in the panel; update: the same rows in another column. */
	tw_kernel kill, update;
};

struct qr {
	struct tw_graph *graph;
	tw_kernel geqrt, ormqr, lacpy;
	struct elimination square, triangle; /* for rows that hold a square (TS kernels) or a triangle (TT kernels) */
	int mt, nt, height;                  /* in tiles: rows and columns of the matrix, rows of a domain */
	bool copies;
	uint64_t tile_bytes, factor_bytes; /* factor_bytes: of a factor T; 0: factors have no handles */
};

/* Returns the handle of a tile. The tiles are numbered row by row. */
static tw_data tile(const struct qr *qr, int row, int column) { return row * qr->nt + column; }

/* Factors and copies are in the places of the tiles that they come from. */
static tw_data new_tile(const struct qr *qr, uint64_t bytes, int row, int column)
{
	const tw_data data = tw_graph_data(qr->graph, bytes);
	tw_graph_set_tile(qr->graph, data, row, column);
	return data;
}

static tw_data new_factor(const struct qr *qr, int row, int column)
{
	return qr->factor_bytes ? new_tile(qr, qr->factor_bytes, row, column) : TW_NONE;
}

/* Submits a task. The last of its n accesses is to a factor T, and is left out if factors have no handles. */
static void submit(const struct qr *qr, tw_kernel kernel, const struct tw_access *access, int n)
{
	tw_graph_submit(qr->graph, kernel, 0, access, qr->factor_bytes ? n : n - 1);
}

/* Reduces the tile in row p of panel k to a triangle. The reflectors stay below the triangle in the same tile, where
 * ormqr reads them. The next task that changes the triangle must wait for all ormqr, because both parts have one
 * handle. A copy of the tile avoids this wait (Augonnet 2011, section 7.3.2). */
static void triangularise(const struct qr *qr, int k, int p)
{
	tw_data t = new_factor(qr, p, k), reflectors = tile(qr, p, k);
	submit(qr, qr->geqrt, (struct tw_access[]){{tile(qr, p, k), TW_RW}, {t, TW_W}}, 2);
	if (qr->copies) {
		reflectors = new_tile(qr, qr->tile_bytes, p, k);
		tw_graph_submit(qr->graph, qr->lacpy, 0,
		                (struct tw_access[]){{tile(qr, p, k), TW_R}, {reflectors, TW_W}}, 2);
	}
	for (int n = k + 1; n < qr->nt; n++)
		submit(qr, qr->ormqr, (struct tw_access[]){{reflectors, TW_R}, {tile(qr, p, n), TW_RW}, {t, TW_R}}, 3);
	if (qr->copies)
		tw_graph_will_not_be_used(qr->graph, reflectors);
	if (qr->factor_bytes)
		tw_graph_will_not_be_used(qr->graph, t);
}

/* Eliminates tile row m of panel k with the triangle in tile row p. */
static void eliminate(const struct qr *qr, const struct elimination *by, int k, int p, int m)
{
	tw_data t = new_factor(qr, m, k);
	submit(qr, by->kill, (struct tw_access[]){{tile(qr, p, k), TW_RW}, {tile(qr, m, k), TW_RW}, {t, TW_W}}, 3);
	for (int n = k + 1; n < qr->nt; n++)
		submit(qr, by->update,
		       (struct tw_access[]){
			       {tile(qr, m, k), TW_R}, {tile(qr, p, n), TW_RW}, {tile(qr, m, n), TW_RW}, {t, TW_R}},
		       4);
	tw_graph_will_not_be_used(qr->graph, tile(qr, m, k));
	if (qr->factor_bytes)
		tw_graph_will_not_be_used(qr->graph, t);
}

static void panel(const struct qr *qr, int k)
{
	for (int p = k; p < qr->mt; p += qr->height) {
		triangularise(qr, k, p);
		for (int m = p + 1; m < p + qr->height && m < qr->mt; m++)
			eliminate(qr, &qr->square, k, p, m);
	}
	for (int apart = qr->height; apart < qr->mt - k; apart *= 2)
		for (int p = k; p + apart < qr->mt; p += 2 * apart)
			eliminate(qr, &qr->triangle, k, p, p + apart);
}

/* Sets each task's priority to its distance to the end of the graph, in tasks other than copies. StarPU's LU has the
 * same priorities; PLASMA and Chameleon set none. */
static int set_priorities(const struct qr *qr, struct tw_error *err)
{
	struct tw_graph *g = qr->graph;
	int status = tw_graph_finish(g, err);
	if (status < 0)
		return tw_fail(err, status, "workload 'qr': %s", err->message);
	double *distance = tw_resize(NULL, (size_t)tw_graph_n_tasks(g), sizeof *distance);
	double steps[N_KERNELS] = {1, 1, 1, 1, 1, 1, 1};
	if (qr->copies)
		steps[qr->lacpy] = 0;
	tw_graph_bottom_levels(g, steps, distance);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		tw_graph_set_priority(g, t, (int32_t)distance[t]);
	free(distance);
	return TW_OK;
}

static double count_tasks(const struct qr *qr)
{
	double tasks = 0;
	for (int k = 0; k < qr->nt; k++) {
		int rows = qr->mt - k, domains = (rows + qr->height - 1) / qr->height;
		tasks += (double)(qr->nt - k) * (rows + domains - 1) + (qr->copies ? domains : 0);
	}
	return tasks;
}

static int read_tree(struct qr *qr, const struct tw_args *args, struct tw_error *err)
{
	const char *tree = tw_args_text(args, "tree");
	int domains = (int)tw_args_int(args, "domains");
	if (tree[0] != 'd' && tw_args_given(args, "domains"))
		return tw_fail(err, TW_INVALID, "workload 'qr': domains=%d: expected tree=domains with it", domains);
	if (tree[0] == 'd' && !tw_args_given(args, "domains"))
		return tw_fail(err, TW_INVALID, "workload 'qr': tree=domains: expected domains=D with it");
	if (domains > qr->mt)
		return tw_fail(err, TW_INVALID, "workload 'qr': domains=%d: expected at most mt=%d", domains, qr->mt);
	qr->height = tree[0] == 'b' ? 1 : (qr->mt + domains - 1) / domains;
	return TW_OK;
}

static int read_args(struct qr *qr, const struct tw_args *args, struct tw_error *err)
{
	int64_t nb = tw_args_int(args, "nb"), ib = tw_args_int(args, "ib");
	uint64_t element = tw_args_text(args, "precision")[0] == 's' ? 4 : 8;
	qr->nt = (int)tw_args_int(args, "nt");
	qr->mt = tw_args_int(args, "mt") ? (int)tw_args_int(args, "mt") : qr->nt;
	if (qr->mt < qr->nt)
		return tw_fail(err, TW_INVALID, "workload 'qr': mt=%d: expected at least nt=%d", qr->mt, qr->nt);
	if (ib > nb && tw_args_given(args, "ib"))
		return tw_fail(err, TW_INVALID, "workload 'qr': ib=%lld: expected at most nb=%lld", (long long)ib,
		               (long long)nb);
	qr->copies = tw_args_flag(args, "copy_diagonal");
	qr->tile_bytes = (uint64_t)(nb * nb) * element;
	qr->factor_bytes = (uint64_t)((ib < nb ? ib : nb) * nb) * element;
	int status = read_tree(qr, args, err);
	if (status == TW_OK && count_tasks(qr) > MAX_TASKS)
		return tw_fail(err, TW_INVALID, "workload 'qr': nt=%d, mt=%d: %.3g tasks: expected at most %d", qr->nt,
		               qr->mt, count_tasks(qr), MAX_TASKS);
	return status;
}

/* Adds the kernels to the graph, but only those that have tasks there. */
static void make_kernels(struct qr *qr, const char *precision, int64_t nb)
{
	struct tw_graph *g = qr->graph;
	double square = (double)nb * (double)nb, cube = square * (double)nb;
	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	qr->geqrt = tw_graph_kernel(g, "geqrt", size, precision, 4 * cube / 3);
	qr->ormqr = tw_graph_kernel(g, "ormqr", size, precision, 2 * cube);
	if (qr->height > 1) {
		qr->square.kill = tw_graph_kernel(g, "tsqrt", size, precision, 2 * cube);
		qr->square.update = tw_graph_kernel(g, "tsmqr", size, precision, 4 * cube);
	}
	if (qr->height < qr->mt) {
		qr->triangle.kill = tw_graph_kernel(g, "ttqrt", size, precision, 2 * cube / 3);
		qr->triangle.update = tw_graph_kernel(g, "ttmqr", size, precision, 2 * cube);
	}
	if (qr->copies) /* a copied element counts as one operation */
		qr->lacpy = tw_graph_kernel(g, "lacpy", size, precision, square);
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	int64_t nb = tw_args_int(args, "nb");
	struct qr qr = {.graph = g};
	int status = read_args(&qr, args, err);
	if (status < 0)
		return status;
	make_kernels(&qr, tw_args_text(args, "precision"), nb);
	for (int i = 0; i < qr.mt * qr.nt; i++)
		new_tile(&qr, qr.tile_bytes, i / qr.nt, i % qr.nt);
	for (int k = 0; k < qr.nt; k++)
		panel(&qr, k);

	double m = (double)qr.mt * (double)nb, n = (double)qr.nt * (double)nb;
	tw_graph_set_flops(g, 2 * n * n * (m - n / 3));
	tw_graph_set_priority_scope(g, TW_PRIORITY_FOR_ALL);
	return set_priorities(&qr, err);
}

const struct tw_workload tw_workload_qr = {
	.abi = TW_WORKLOAD_ABI,
	.name = "qr",
	.summary = "tile QR factorisation, by flat or reduction trees (geqrt, ormqr, tsqrt, tsmqr, ttqrt, ttmqr)",
	.params = params,
	.generate = generate,
};
