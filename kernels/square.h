/* Square matrices of square tiles that are factored in place. The families cholesky and lu share this file. */
#ifndef TW__SQUARE_H
#define TW__SQUARE_H

#include "parts.h"

/* The shape of the families cholesky and lu. */
struct tw__square {
	const struct tw__precision *precision;
	int nt, nb;
};

int tw__square_open(void *shape, const struct tw_args *, struct tw_error *err);
struct tw__matrix tw__square_original(const struct tw__square *, uint64_t seed, bool symmetric);

/* Solves a triangular system: the first operand is the triangle, the second the tile that is solved in place. `side`,
 * `uplo`, `trans` and `diag` are those of trsm in precision.h. With the triangle on the left, columns of the tile are
 * independent, else rows are. Each part of the task computes some. */
int tw__square_trsm(const struct tw_call *, char side, char uplo, char trans, char diag);
int tw__square_gemm(const struct tw_call *, char transb); /* computes C -= A op(B), as tw__part_of_gemm */

/* Adds F x to y, where F is the product of the factors in the tiles `at`. `between` is a vector of zeros for
 * intermediate results. */
typedef void (*tw__factors_fn)(const struct tw__square *, void *const *at, const double *x, double *between, double *y);

/* Checks the factors by the residual || A x - F x || / (||A|| ||x||), for random vectors x and the product F of the
 * factors. Vectors have Euclidean norms, A has the Frobenius norm. `what` names the norm in the message. */
int tw__square_check(const char *workload, const char *what, const struct tw__square *, bool symmetric, tw__factors_fn,
                     uint64_t seed, void *const *at, double *residual, struct tw_error *err);

#endif
