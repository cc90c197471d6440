/* The shape of a QR factorisation, and the check of its results. */
#ifndef TW__QR_H
#define TW__QR_H

#include "precision.h"

struct tw__qr {
	const struct tw__precision *precision;
	int mt, nt, nb, ib; /* rows and columns of the matrix, in tiles; side of a tile; rows of a factor T */
	int height;         /* number of rows of a domain, in tiles */
	bool copies;        /* whether ormqr reads copies of the tiles on the diagonal */
};

struct tw__matrix tw__qr_original(const struct tw__qr *, uint64_t seed);

/* Checks the factorisation. For random vectors x, the residual is the greater of
 *     || Q^T A x - R x || / (||A|| ||x||)             the reflectors and factors T match R
 *     || A^T A x - R^T R x || / (||A||^2 ||x||)       R matches an orthogonal Q
 * with Euclidean norms of vectors, and the Frobenius norm of A. For the first vector, reflectors come from the tiles;
 * for the second, from the copies of tiles, if there are any. */
int tw__qr_check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err);

#endif
