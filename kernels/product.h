/* Matrix products C = A B for random matrices A and B. The families matmul2d and matmul3d share this file. */
#ifndef TW__PRODUCT_H
#define TW__PRODUCT_H

#include "parts.h"

/* The shape of the families matmul2d and matmul3d. Handles, in order: those of A, of B and of C, each by columns. */
struct tw__multiply {
	const char *workload;
	const struct tw__precision *precision;
	int nt;    /* number of tiles in a row, and in a column, of C */
	int kt;    /* number of A's handles for a row of C's tiles */
	int nb, k; /* sizes in entries: a tile of C is nb x nb, a handle of A nb x k, a handle of B k x nb */
};

/* Sets the members that both families have: all but kt and k. */
/* `output`: the parameter of that name. */
int tw__product_open(struct tw__multiply *, const char *workload, const char *output, const struct tw_args *,
                     struct tw_error *err);

extern const struct tw_codelet tw__product_codelets[];

/* Writes the handles of A and B. Entries are in [-0.5, 0.5), and differ between A and B. */
void tw__product_fill(const void *shape, uint64_t seed, tw_data, void *at, uint64_t bytes);

/* Checks C for random vectors x (Freivalds 1977). The residual is || C x - A (B x) || / (||A|| ||B|| ||x||), with
 * Frobenius norms of A and B and Euclidean norms of vectors. A small product is also compared entry by entry with plain
 * loops. Then the residual is at least max |C - A B| sqrt(n) / (||A|| ||B||), with n columns of C. */
int tw__product_check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err);

#endif
