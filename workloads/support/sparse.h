/* Sparse matrices before their factorisation: patterns, fill-reducing orders, assembly trees of fronts.
 *
 * What a workload needs to make the tasks of a multifrontal solver (Duff and Reid 1983; Liu 1992): no values, only where the
 * entries are and what their elimination fills in. Rows, columns and fronts are numbered from 0. */
#ifndef TILEWRIGHT_SPARSE_H
#define TILEWRIGHT_SPARSE_H

#include <stdio.h>

#include <tilewright/params.h>

/* --- patterns --------------------------------------------------------------------------------------------------- */

enum { TW_MAX_UNKNOWNS = 10000000, TW_MAX_ENTRIES = 1 << 28 };

/* Where a matrix has entries, column by column. */
struct tw_pattern {
	int32_t n_rows, n_columns;
	int64_t *start; /* [n_columns + 1], into row */
	int32_t *row;   /* ascending in each column, each once */
};

void tw_pattern_finish(struct tw_pattern *);

/* The functions below make `*p`, which tw_pattern_finish frees; on an error there is nothing to free. */

/* A Laplacian on a grid of nx x ny x nz points: entries on the diagonal and between neighbours. Neighbours differ by one
 * in one coordinate (5 points in the plane, 7 in space), or, if `box`, by at most one in each (9, 27). */
int tw_pattern_grid(struct tw_pattern *p, int nx, int ny, int nz, bool box, struct tw_error *err);

/* A Matrix Market file: coordinate; real, integer, complex or pattern; general, symmetric, skew-symmetric or hermitian.
 * Entries given twice count once, symmetric ones on both sides, values not at all. */
int tw_pattern_read(struct tw_pattern *p, const char *path, struct tw_error *err);
int tw_pattern_read_stream(struct tw_pattern *p, FILE *stream, const char *name, struct tw_error *err);

/* A^T. The entries of `a` may be in any order. */
int tw_pattern_transpose(struct tw_pattern *p, const struct tw_pattern *a, struct tw_error *err);

/* Graphs, that is, without the diagonal and with each edge from both its ends: of A + A^T for a square A, and of A^T A. */
int tw_pattern_symmetrise(struct tw_pattern *p, const struct tw_pattern *a, struct tw_error *err);
int tw_pattern_gram(struct tw_pattern *p, const struct tw_pattern *a, struct tw_error *err);

/* --- orders and trees ------------------------------------------------------------------------------------------- */

/* Nested dissection by METIS, always from the same seed: order[k] is the column to eliminate k-th. */
int tw_nested_dissection(const struct tw_pattern *graph, int32_t *order, struct tw_error *err);

/* Fronts in postorder. Front f eliminates the columns first[f] .. first[f + 1] - 1, its pivots, in the numbers of the final
 * order; column[start[f]] .. column[start[f + 1] - 1] are all columns that it has, ascending, the pivots in front, and behind
 * them those of its contribution block. */
struct tw_assembly_tree {
	int32_t n_columns, n_fronts;
	int32_t *order; /* [n_columns]: order[k] is the column of the matrix that is eliminated k-th */
	int32_t *first; /* [n_fronts + 1] */
	int64_t *start; /* [n_fronts + 1], into column */
	int32_t *column;
	int32_t *parent;      /* [n_fronts]: > f, or TW_NONE for a root */
	int32_t *child_start; /* [n_fronts + 1], into child */
	int32_t *child;       /* ascending */
};

/* Which fronts become one (see amalgamation.c): a child joins its parent if both have fewer than `min_pivots`, or if at
 * most `max_zeros` of the joint factor's entries are zeros that fronts only store because they were joined. */
struct tw_amalgamation {
	int min_pivots;
	double max_zeros;
};

/* The tree for eliminating the columns of a graph in that order, or in one that is equivalent for the fill. Fronts with more
 * than TW_MAX_ENTRIES columns in all are an error. */
int tw_assembly_tree_init(struct tw_assembly_tree *, const struct tw_pattern *graph, const int32_t *order,
                          struct tw_amalgamation, struct tw_error *err);
void tw_assembly_tree_finish(struct tw_assembly_tree *);

static inline int32_t tw_front_pivots(const struct tw_assembly_tree *t, int32_t f)
{
	return t->first[f + 1] - t->first[f];
}

static inline int32_t tw_front_columns(const struct tw_assembly_tree *t, int32_t f)
{
	return (int32_t)(t->start[f + 1] - t->start[f]);
}

/* Where each column of a front's contribution block stands in its parent: `place` has as many entries as the block has
 * columns, counted from 0 at the parent's first column, ascending. */
void tw_front_places(const struct tw_assembly_tree *, int32_t front, int32_t *place);

/* How high each column of each front reaches in a multifrontal QR factorisation: in front f, rows 0 .. height - 1 of column
 * start[f] + j may hold entries when its elimination begins. Heights do not decrease along a front: a staircase. */
struct tw_staircase {
	int32_t *height; /* [start[n_fronts]], with the tree's `start` */
};

int tw_staircase_init(struct tw_staircase *, const struct tw_assembly_tree *, const struct tw_pattern *a,
                      struct tw_error *err);
void tw_staircase_finish(struct tw_staircase *);

/* --- what sparse workloads have in common ----------------------------------------------------------------------- */

/* The parameters that name a matrix, and say how to analyse it and what its tasks cost. */
/* clang-format off */
#define TW_SPARSE_PARAMS \
	{"grid2d", TW_PARAM_INT, "0", 0, 2000, NULL, "Laplacian on a square grid with so many points a side"}, \
	{"grid3d", TW_PARAM_INT, "0", 0, 150, NULL, "Laplacian on a cubic grid with so many points a side"}, \
	{"matrix", TW_PARAM_TEXT, "", 0, 0, NULL, "a Matrix Market file"}, \
	{"stencil", TW_PARAM_CHOICE, "star", 0, 0, "star|box", \
	 "neighbours on a grid: 4 (in a cube 6), or, with the diagonal ones, 8 (26)"}, \
	{"ordering", TW_PARAM_CHOICE, "metis", 0, 0, "metis|natural", "nested dissection, or columns as they are"}, \
	{"nemin", TW_PARAM_INT, "32", 1, 1000000, NULL, "a front joins its parent if both have fewer pivots than this"}, \
	{"relax", TW_PARAM_REAL, "0.05", 0, 1, NULL, "or if at most this part of the joint front's factor is zeros"}, \
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"}, \
	{"memory_rate", TW_PARAM_BYTES, "4GB", 1, 1e15, NULL, \
	 "bytes a core moves in a second when it activates, assembles or cleans"}, \
	{"classes", TW_PARAM_INT, "32", 4, 4096, NULL, \
	 "sizes that kernels tell apart from one power of two to the next; itself one"}
/* clang-format on */

/* What is factorised, and how far that is known before the first task. */
struct tw_sparse {
	struct tw_pattern matrix;
	struct tw_assembly_tree tree;
};

enum tw_sparse_kind {
	TW_SYMMETRIC, /* the tree is that of A + A^T; A is square */
	TW_ORTHOGONAL /* that of A^T A; a matrix with more columns than rows is transposed first */
};

/* From the parameters above to the tree; messages begin with "workload 'NAME': ". */
int tw_sparse_init(struct tw_sparse *, const struct tw_args *, const char *workload, enum tw_sparse_kind,
                   struct tw_error *err);
void tw_sparse_finish(struct tw_sparse *);

#endif
