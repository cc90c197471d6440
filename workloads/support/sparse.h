/* Symbolic analysis of sparse matrices: patterns, fill-reducing orders, assembly trees of fronts.
 *
 * Workloads need this analysis to make the tasks of a multifrontal solver (Duff and Reid 1983; Liu 1992). It has no
 * values, only the places of entries and of the fill-in. Rows, columns and fronts are numbered from 0. */
#ifndef TILEWRIGHT_SPARSE_H
#define TILEWRIGHT_SPARSE_H

#include <stdio.h>

#include <tilewright/params.h>

/* --- patterns --------------------------------------------------------------------------------------------------- */

enum { TW_MAX_UNKNOWNS = 10000000, TW_MAX_ENTRIES = 1 << 28 };

/* A pattern: the places of a matrix' entries, column by column. */
struct tw_pattern {
	int32_t n_rows, n_columns;
	int64_t *start; /* [n_columns + 1] where each column starts in `row` */
	int32_t *row;   /* rows of the entries, ascending in each column, without duplicates */
};

void tw_pattern_finish(struct tw_pattern *);

/* The functions below fill the pattern `*p`, which tw_pattern_finish frees. After an error there is nothing to free. */

/* Makes the pattern of the Laplacian on a grid of nx x ny x nz points: entries on the diagonal and between neighbours.
 * Neighbours differ by one in one coordinate (a stencil of 5 points in 2D, 7 in 3D). With `box`, they differ by at most
 * one in each coordinate (9, 27). */
int tw_pattern_grid(struct tw_pattern *p, int nx, int ny, int nz, bool box, struct tw_error *err);

/* Reads a Matrix Market file: coordinate; real, integer, complex or pattern; general, symmetric, skew-symmetric or
 * hermitian. Duplicate entries count once, symmetric entries are mirrored, and values are ignored. */
int tw_pattern_read(struct tw_pattern *p, const char *path, struct tw_error *err);
int tw_pattern_read_stream(struct tw_pattern *p, FILE *stream, const char *name, struct tw_error *err);

/* Makes the pattern of A^T. The entries of `a` may be in any order. */
void tw_pattern_transpose(struct tw_pattern *p, const struct tw_pattern *a);

/* Makes the graph of A + A^T for a square A; the next function makes that of A^T A. A graph has no diagonal, and has
 * each edge from both of its ends. */
int tw_pattern_symmetrise(struct tw_pattern *p, const struct tw_pattern *a, struct tw_error *err);
int tw_pattern_gram(struct tw_pattern *p, const struct tw_pattern *a, struct tw_error *err);

/* --- orders and trees ------------------------------------------------------------------------------------------- */

/* Orders the columns by nested dissection with METIS, always with the same seed. order[k] is the k-th column to
 * eliminate. */
int tw_nested_dissection(const struct tw_pattern *graph, int32_t *order, struct tw_error *err);

/* An assembly tree: fronts in postorder. Columns have their numbers in the final order. The pivots of front f are the
 * columns first[f] .. first[f + 1] - 1, which the front eliminates. Its columns are column[start[f]] .. column[start[f
 * + 1] - 1], ascending: first the pivots, then the columns of its contribution block. */
struct tw_assembly_tree {
	int32_t n_columns, n_fronts;
	int32_t *order; /* [n_columns] order[k] is the k-th eliminated column of the matrix */
	int32_t *first; /* [n_fronts + 1] first pivot of each front */
	int64_t *start; /* [n_fronts + 1] where each front starts in `column` */
	int32_t *column;
	int32_t *parent;      /* [n_fronts] parent of front f: above f, or TW_NONE for a root */
	int32_t *child_start; /* [n_fronts + 1] where the children of each front start in `child` */
	int32_t *child;       /* children of each front, ascending */
};

/* Limits for the amalgamation of fronts (see amalgamation.c). A child joins its parent if both have fewer than
 * `min_pivots` pivots. It also joins if at most the fraction `max_zeros` of the joint factor's entries are zeros that
 * only amalgamation stores. */
struct tw_amalgamation {
	int min_pivots;
	double max_zeros;
};

/* Makes the assembly tree for eliminating the columns of a graph in that order, or in an order with the same fill.
 * Fronts with more than TW_MAX_ENTRIES columns in total are an error. */
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

/* Writes the place of each column of a front's contribution block among the parent's columns, from 0, ascending.
 * `place` has an entry for each column of the block. */
void tw_front_places(const struct tw_assembly_tree *, int32_t front, int32_t *place);

/* Returns the heights of the columns of fronts in a multifrontal QR factorisation of `a`, indexed as the tree's
 * `column`; the caller frees them. In column j of front f, rows 0 .. height[start[f] + j] - 1 may have entries when the
 * elimination of the front begins. Heights do not decrease along a front: they are a staircase. */
int32_t *tw_front_heights(const struct tw_assembly_tree *, const struct tw_pattern *a);

/* --- shared code of sparse workloads ------------------------------------------------------------------------------ */

/* The parameters that sparse workloads share: for the matrix, its analysis and the costs of its tasks. */
/* clang-format off */
#define TW_SPARSE_PARAMS \
	{"grid2d", TW_PARAM_INT, "0", 0, 2000, NULL, \
	 "Laplacian on a square grid: points on a side"}, \
	{"grid3d", TW_PARAM_INT, "0", 0, 150, NULL, \
	 "Laplacian on a cubic grid: points on a side"}, \
	{"matrix", TW_PARAM_TEXT, "", 0, 0, NULL, "a Matrix Market file"}, \
	{"stencil", TW_PARAM_CHOICE, "star", 0, 0, "star|box", \
	 "neighbours on a grid: 4 (in a cube 6), or, with the diagonal ones, 8 (26)"}, \
	{"ordering", TW_PARAM_CHOICE, "metis", 0, 0, "metis|natural", \
	 "nested dissection, or the order of the columns"}, \
	{"nemin", TW_PARAM_INT, "32", 1, 1000000, NULL, \
	 "a front joins its parent if both have fewer pivots than this"}, \
	{"relax", TW_PARAM_REAL, "0.05", 0, 1, NULL, \
	 "or if at most this fraction of the joint front's factor is zeros"}, \
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"}, \
	{"memory_rate", TW_PARAM_BYTES, "4GB", 1, 1e15, NULL, \
	 "bytes per second that a core moves in activate, assemble and clean"}, \
	{"classes", TW_PARAM_INT, "32", 4, 4096, NULL, \
	 "size classes of kernels between powers of two; a power of two"}
/* clang-format on */

/* The matrix to factorise, and the result of its analysis. */
struct tw_sparse {
	struct tw_pattern matrix;
	struct tw_assembly_tree tree;
};

enum tw_sparse_kind {
	TW_SYMMETRIC, /* the tree is that of A + A^T; A is square */
	TW_ORTHOGONAL /* the tree is that of A^T A; a matrix with more columns than rows is transposed first */
};

/* Reads or makes the matrix that the parameters name, and makes its assembly tree. Messages begin with "workload
 * 'NAME': ". */
int tw_sparse_init(struct tw_sparse *, const struct tw_args *, const char *workload, enum tw_sparse_kind,
                   struct tw_error *err);
void tw_sparse_finish(struct tw_sparse *);

#endif
