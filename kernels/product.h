/* Matrix products C = A B for random matrices A and B. The families matmul2d and matmul3d share this file. */
#ifndef TW__PRODUCT_H
#define TW__PRODUCT_H

#include "parts.h"

/* The shape of the families matmul2d and matmul3d. */
struct tw__multiply {
	const struct tw__precision *precision;
	int nt;    /* number of tiles in a row of C */
	int kt;    /* number of A's handles for a row of C's tiles */
	int nb, k; /* sizes in entries: a tile of C is nb x nb, a handle of A nb x k, a handle of B k x nb */
};

/* Runs the codelet gemm: C = A B for a task that only writes C, otherwise C += A B. */
int tw__multiply(const struct tw_call *);

struct tw__product {
	const char *workload;
	const struct tw__precision *precision;
	struct tw__matrix a, b;
	int rows_of_tile, tiles_in_column; /* numbers of rows of a tile of C, of tiles in a column */
	void *const *c;                    /* addresses of the tiles of C, by columns */
};

/* Returns the random matrix A, or B if `second`. Entries are in [-0.5, 0.5), and differ between A and B. */
struct tw__matrix tw__factor(uint64_t seed, int64_t rows, int64_t columns, bool second);

/* Checks C for random vectors x (Freivalds 1977). The residual is || C x - A (B x) || / (||A|| ||B|| ||x||), with
 * Frobenius norms of A and B and Euclidean norms of vectors. A small product is also compared entry by entry with plain
 * loops. Then the residual is at least max |C - A B| sqrt(n) / (||A|| ||B||), with n columns of C. */
int tw__product_check(const struct tw__product *, uint64_t seed, double *residual, struct tw_error *err);

#endif
