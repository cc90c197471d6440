/* Square matrices of square tiles that are factored in place; shared by Cholesky and LU. */
#ifndef TW__SQUARE_H
#define TW__SQUARE_H

#include "parts.h"

/* The shape of both families. */
struct tw__square {
	const struct tw__precision *precision;
	int nt, nb;
};

int tw__square_open(void *shape, const struct tw_args *, struct tw_error *err);
struct tw__matrix tw__square_original(const struct tw__square *, uint64_t seed, bool symmetric);

/* Adds to y the product of the factors in `at` with x. `between` is a vector of zeros for intermediate results. */
typedef void (*tw__factors_fn)(const struct tw__square *, void *const *at, const double *x, double *between, double *y);

/* The residual of the check is || A x - F x || / (||A|| ||x||), for random vectors x and the product F of the
 * factors. Vectors have Euclidean norms, A has the Frobenius norm. The text `what` is for the message. */
int tw__square_check(const char *workload, const char *what, const struct tw__square *,
                     const struct tw__matrix *original, tw__factors_fn, uint64_t seed, void *const *at,
                     double *residual, struct tw_error *err);

#endif
