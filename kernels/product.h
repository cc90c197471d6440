/* Matrix products, C = A B for random A and B; shared by matmul2d and matmul3d. */
#ifndef TW__PRODUCT_H
#define TW__PRODUCT_H

#include "parts.h"

/* The shape of both families. */
struct tw__multiply {
	const struct tw__precision *precision;
	int nt;    /* tiles in a row of C */
	int kt;    /* operands of A per row of C's tiles */
	int nb, k; /* sizes: a tile of C is nb x nb, an operand of A nb x k, one of B k x nb */
};

/* The codelet: C = A B for a task that only writes C, otherwise C += A B. */
int tw__multiply(const struct tw_call *);

struct tw__product {
	const char *workload;
	const struct tw__precision *precision;
	struct tw__matrix a, b;
	int rows_of_tile, tiles_in_column; /* of C, which is square */
	void *const *c;                    /* the tiles of C, by columns */
};

/* A and B have different entries in [-0.5, 0.5). */
struct tw__matrix tw__factor(uint64_t seed, int64_t rows, int64_t columns, bool second);

/* The residual || C x - A (B x) || / (||A|| ||B|| ||x||) for random vectors x (Freivalds 1977), with Frobenius norms
 * of A and B and Euclidean norms of vectors. A small product is also compared entry by entry with plain loops. Then
 * the residual is at least max |C - A B| sqrt(n) / (||A|| ||B||), with n columns of C. */
int tw__product_check(const struct tw__product *, uint64_t seed, double *residual, struct tw_error *err);

#endif
