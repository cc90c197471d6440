/* Multifrontal LDL^T or Cholesky factorisation of a sparse symmetric matrix, like SpLDLT (Lopez and Duff 2018): the
 * application SpLDLT of Bramas 2019. There is no pivoting, as for a positive definite matrix.
 *
 * The lower triangle of a front is cut into tiles of side nb. The boundary between the pivots and the contribution
 * block is a tile boundary, too. In postorder, each front has these tasks, with their accesses (R, W or RW):
 *     activate     W its tiles
 *     assemble     R a tile of a child's contribution block, RW a tile of the front, for each pair that shares entries
 *     potrf        RW a diagonal tile of pivots
 *     trsm         R the diagonal tile, RW each tile below it
 *     syrk, gemm   R one or two tiles of that column, RW each tile to the right, up to the contribution block
 *
 * GPUs run the updates, syrk and gemm; with gpu=all also potrf and trsm.
 *
 * Flops: eliminating a pivot with r rows below it takes exactly (r + 1)^2. See docs/reference/workloads-sparse.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/workload.h>

#include "workloads/support/front_tasks.h"

static const struct tw_param params[] = {
	TW_SPARSE_PARAMS,
	{"nb", TW_PARAM_INT, "256", 1, 100000, NULL, "tile side"},
	{"gpu", TW_PARAM_CHOICE, "update", 0, 0, "update|all",
         "kernels that GPUs may run: syrk and gemm; or also potrf and trsm"},
	{0},
};

enum { POTRF, TRSM, SYRK, GEMM };

struct front {
	int32_t pivots, columns;
	int32_t n_pivot_tiles, n_tiles; /* tiles along a side of the front: those of pivots, and all */
	/* Handle of tile (0, 0); tiles of the lower triangle have consecutive numbers, row by row. */
	tw_data first;
};

struct solver {
	struct tw_front_tasks tasks;
	const struct tw_assembly_tree *tree;
	int32_t nb;
	const char *other_archs; /* archs that run potrf and trsm; NULL: all */
	struct front *fronts;
	struct overlap *overlaps; /* the overlaps of a child and its parent that find_overlaps() has found */
	double flops;
};

static tw_data tile(const struct front *f, int32_t row, int32_t column)
{
	return f->first + row * (row + 1) / 2 + column;
}

/* Returns the tile row, or tile column, that has row or column i of the front. */
static int32_t tile_of(const struct solver *s, const struct front *f, int32_t i)
{
	return i < f->pivots ? i / s->nb : f->n_pivot_tiles + (i - f->pivots) / s->nb;
}

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

static int32_t side(const struct solver *s, const struct front *f, int32_t t)
{
	return t < f->n_pivot_tiles ? smaller(s->nb, f->pivots - t * s->nb)
	                            : smaller(s->nb, f->columns - f->pivots - (t - f->n_pivot_tiles) * s->nb);
}

static int32_t tiles_for(const struct solver *s, int32_t indices) { return (indices + s->nb - 1) / s->nb; }

/* --- memory ------------------------------------------------------------------------------------------------------ */

static void make_tiles(struct solver *s, struct front *f)
{
	for (int32_t row = 0; row < f->n_tiles; row++)
		for (int32_t column = 0; column <= row; column++) {
			uint64_t elements = (uint64_t)side(s, f, row) * (uint64_t)side(s, f, column);
			tw_data data = tw_graph_data(s->tasks.graph, elements * s->tasks.element_bytes);
			if (row == 0)
				f->first = data;
		}
}

/* Submits the tasks that activate a front: one for each TW_FRONT_STEP tiles. */
static void activate(struct solver *s, int32_t number)
{
	const struct front *f = &s->fronts[number];
	struct tw_access access[TW_FRONT_STEP];
	double elements = 0;
	int n = 0;
	for (int32_t row = 0; row < f->n_tiles; row++)
		for (int32_t column = 0; column <= row; column++) {
			access[n++] = (struct tw_access){tile(f, row, column), TW_W};
			elements += (double)side(s, f, row) * side(s, f, column);
			if (n == TW_FRONT_STEP || (row == f->n_tiles - 1 && column == row)) {
				tw_front_move(&s->tasks, TW_ACTIVATE, number, access, n, elements);
				n = 0;
				elements = 0;
			}
		}
}

/* An overlap: n consecutive rows of a contribution block that lie in one tile row of the child and in one of the
 * parent. */
struct overlap {
	int32_t child, parent, n;
};

static int32_t find_overlaps(const struct solver *s, int32_t child, int32_t parent)
{
	const struct front *from = &s->fronts[child], *to = &s->fronts[parent];
	int32_t n = 0;
	tw_front_places(s->tree, child, s->tasks.place);
	for (int32_t i = from->pivots; i < from->columns; i++) {
		struct overlap here = {tile_of(s, from, i), tile_of(s, to, s->tasks.place[i - from->pivots]), 1};
		struct overlap *last = n ? &s->overlaps[n - 1] : NULL;
		if (last && last->child == here.child && last->parent == here.parent)
			last->n++;
		else
			s->overlaps[n++] = here;
	}
	return n;
}

static void assemble(struct solver *s, int32_t child, int32_t parent)
{
	const struct front *from = &s->fronts[child], *to = &s->fronts[parent];
	int32_t n = find_overlaps(s, child, parent);
	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j <= i; j++) {
			struct overlap row = s->overlaps[i], column = s->overlaps[j];
			double elements = i == j ? 0.5 * row.n * (row.n + 1.0) : (double)row.n * column.n;
			tw_front_move(&s->tasks, TW_ASSEMBLE, parent,
			              (struct tw_access[]){{tile(from, row.child, column.child), TW_R},
			                                   {tile(to, row.parent, column.parent), TW_RW}},
			              2, elements);
		}
}

/* --- kernels ----------------------------------------------------------------------------------------------------- */

/* Returns the flops of a task on an m x n tile with k pivot columns. Over all tasks of a front, they sum to (r + 1)^2
 * for each pivot with r rows below it. */
static double flops_of(int kind, double m, double k, double n)
{
	switch (kind) {
	case POTRF:
		return k * (k + 1) * (2 * k + 1) / 6;
	case TRSM:
		return m * k * k;
	case SYRK:
		return m * (m + 1) * k;
	default:
		return 2 * m * n * k;
	}
}

static void write_size(char *text, size_t room, int kind, int32_t m, int32_t k, int32_t n)
{
	if ((kind == POTRF || m == k) && (kind != GEMM || n == k))
		snprintf(text, room, "%d", k);
	else if (kind == TRSM)
		snprintf(text, room, "%dx%d+%dx%d", k, k, m, k);
	else if (kind == SYRK)
		snprintf(text, room, "%dx%d+%dx%d", m, k, m, m);
	else
		snprintf(text, room, "%dx%d+%dx%d+%dx%d", m, k, n, k, m, n);
}

static tw_kernel kernel_of(struct solver *s, int kind, int32_t m, int32_t k, int32_t n)
{
	static const char *const names[] = {"potrf", "trsm", "syrk", "gemm"};
	struct tw_kernel_slot *slot = tw_kernel_table_find(&s->tasks.kernels, kind, m, k, n);
	if (slot->kernel == TW_NONE) {
		char size[80];
		write_size(size, sizeof size, kind, slot->m, slot->k, slot->n);
		slot->kernel = tw_front_kernel(&s->tasks, names[kind], size, flops_of(kind, slot->m, slot->k, slot->n),
		                               kind == POTRF || kind == TRSM ? s->other_archs : NULL);
	}
	return slot->kernel;
}

/* --- factorisation ----------------------------------------------------------------------------------------------- */

static void compute(struct solver *s, int32_t front, int kind, int32_t m, int32_t k, int32_t n,
                    const struct tw_access *access, int n_accesses)
{
	static const enum tw_front_urgency urgency[] = {TW_FRONT_FACTOR, TW_FRONT_SOLVE, TW_FRONT_UPDATE,
	                                                TW_FRONT_UPDATE};
	tw_graph_submit(s->tasks.graph, kernel_of(s, kind, m, k, n), tw_front_priority(&s->tasks, front, urgency[kind]),
	                access, n_accesses);
	s->flops += flops_of(kind, m, k, n);
}

static void eliminate(struct solver *s, int32_t number, int32_t p)
{
	const struct front *f = &s->fronts[number];
	tw_data pp = tile(f, p, p);
	int32_t k = side(s, f, p);
	compute(s, number, POTRF, 0, k, 0, (struct tw_access[]){{pp, TW_RW}}, 1);
	for (int32_t i = p + 1; i < f->n_tiles; i++)
		compute(s, number, TRSM, side(s, f, i), k, 0, (struct tw_access[]){{pp, TW_R}, {tile(f, i, p), TW_RW}},
		        2);
	tw_graph_will_not_be_used(s->tasks.graph, pp);
	for (int32_t j = p + 1; j < f->n_tiles; j++) {
		tw_data jp = tile(f, j, p);
		compute(s, number, SYRK, side(s, f, j), k, 0, (struct tw_access[]){{jp, TW_R}, {tile(f, j, j), TW_RW}},
		        2);
		for (int32_t i = j + 1; i < f->n_tiles; i++)
			compute(s, number, GEMM, side(s, f, i), k, side(s, f, j),
			        (struct tw_access[]){{tile(f, i, p), TW_R}, {jp, TW_R}, {tile(f, i, j), TW_RW}}, 3);
		tw_graph_will_not_be_used(s->tasks.graph, jp);
	}
}

/* Hints that the contribution block of a front will not be used: only the parent's assembly still reads it. */
static void release_contributions(struct solver *s, const struct front *f)
{
	for (int32_t i = f->n_pivot_tiles; i < f->n_tiles; i++)
		for (int32_t j = f->n_pivot_tiles; j <= i; j++)
			tw_graph_will_not_be_used(s->tasks.graph, tile(f, i, j));
}

static void submit(struct solver *s)
{
	const struct tw_assembly_tree *t = s->tree;
	for (int32_t f = 0; f < t->n_fronts; f++) {
		make_tiles(s, &s->fronts[f]);
		activate(s, f);
		for (int32_t c = t->child_start[f]; c < t->child_start[f + 1]; c++)
			assemble(s, t->child[c], f);
		for (int32_t p = 0; p < s->fronts[f].n_pivot_tiles; p++)
			eliminate(s, f, p);
		release_contributions(s, &s->fronts[f]);
	}
}

/* Sets the sizes of the fronts. Returns an upper bound on the number of tasks. */
static double describe(struct solver *s)
{
	const struct tw_assembly_tree *t = s->tree;
	double tasks = 0;
	for (int32_t i = t->n_fronts - 1; i >= 0; i--) { /* parents first: a front needs its parent's number of tiles */
		struct front *f = &s->fronts[i];
		f->pivots = tw_front_pivots(t, i);
		f->columns = tw_front_columns(t, i);
		f->n_pivot_tiles = tiles_for(s, f->pivots);
		f->n_tiles = f->n_pivot_tiles + tiles_for(s, f->columns - f->pivots);
		double n = f->n_tiles, kept = f->n_tiles - f->n_pivot_tiles;
		/* As many tasks as a tile Cholesky factorisation, without those of the kept tiles. */
		tasks += n * (n + 1) * (n + 2) / 6 - kept * (kept + 1) * (kept + 2) / 6;
		if (t->parent[i] != TW_NONE) {
			double overlaps = kept + s->fronts[t->parent[i]].n_tiles;
			overlaps = overlaps < f->columns - f->pivots ? overlaps : f->columns - f->pivots;
			tasks += overlaps * (overlaps + 1) / 2;
		}
	}
	return tasks;
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct solver s = {.nb = (int32_t)tw_args_int(args, "nb")};
	s.other_archs = strcmp(tw_args_text(args, "gpu"), "all") == 0 ? NULL : "processors";
	int status = tw_front_tasks_init(&s.tasks, g, args, "spldlt", TW_SYMMETRIC, err);
	if (status < 0)
		return status;
	s.tree = &s.tasks.sparse.tree;
	s.fronts = tw_alloc((size_t)s.tree->n_fronts, sizeof *s.fronts);
	s.overlaps = tw_resize(NULL, (size_t)s.tree->n_columns, sizeof *s.overlaps);
	status = tw_front_tasks_begin(&s.tasks, s.nb, describe(&s), err);
	if (status == TW_OK) {
		submit(&s);
		tw_front_tasks_end(&s.tasks, s.flops);
	}
	tw_front_tasks_finish(&s.tasks);
	free(s.fronts);
	free(s.overlaps);
	return status;
}

const struct tw_workload tw_workload_spldlt = {
	.abi = TW_WORKLOAD_ABI,
	.name = "spldlt",
	.summary = "multifrontal LDL^T factorisation of a sparse symmetric matrix by tiles (activate, assemble, potrf, "
		   "trsm, syrk, gemm)",
	.params = params,
	.generate = generate,
};
