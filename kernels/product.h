/* Matrix products, C = A B for random A and B: matmul2d and matmul3d have this in common. */
#ifndef TW__PRODUCT_H
#define TW__PRODUCT_H

#include "parts.h"

/* The shape of both families. */
struct tw__multiply {
	const struct tw__precision *precision;
	int nt;    /* tiles in a row of C */
	int kt;    /* operands of A in a row of it */
	int nb, k; /* a tile of C is nb x nb, an operand of A nb x k, one of B k x nb */
};

/* The codelet: C = A B by a task that only writes C, else C += A B. */
int tw__multiply(const struct tw_call *);

struct tw__product {
	const char *workload;
	const struct tw__precision *precision;
	struct tw__matrix a, b;
	int rows_of_tile, tiles_in_column; /* of C, which is square */
	void *const *c;                    /* its tiles, column by column */
};

/* A and B have entries in [-0.5, 0.5), and not the same. */
struct tw__matrix tw__factor(uint64_t seed, int64_t rows, int64_t columns, bool second);

/* || C x - A (B x) || / (||A|| ||B|| ||x||) for random vectors x (Freivalds 1977); Frobenius norms of A and B, Euclidean
 * ones of vectors. A small product is also compared entry by entry with plain loops: then the residual is
 * max |C - A B| sqrt(n) / (||A|| ||B||), n columns of C, if that is more. */
int tw__product_check(const struct tw__product *, uint64_t seed, double *residual, struct tw_error *err);

#endif
