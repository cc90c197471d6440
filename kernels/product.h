/* The check of matrix products: C = A B for random A and B. */
#ifndef TW__PRODUCT_H
#define TW__PRODUCT_H

#include "parts.h"

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
