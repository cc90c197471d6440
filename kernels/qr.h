/* The shape of a QR factorisation, and its check. */
#ifndef TW__QR_H
#define TW__QR_H

#include "precision.h"

struct tw__qr {
	const struct tw__precision *precision;
	int mt, nt, nb, ib; /* of the matrix, in tiles; of a tile; of a factor T */
	int height;         /* of a domain, in tiles */
	bool copies;        /* ormqr reads copies of the tiles on the diagonal */
};

struct tw__matrix tw__qr_original(const struct tw__qr *, uint64_t seed);

/* For random vectors x, the greater of
 *     || Q^T A x - R x || / (||A|| ||x||)             the reflectors and factors T match R
 *     || A^T A x - R^T R x || / (||A||^2 ||x||)       R matches an orthogonal Q
 * with Euclidean norms of vectors, and the Frobenius norm of A. Reflectors come from the tiles for the first vector,
 * and from their copies, if there are any, for the second one. */
int tw__qr_check(const struct tw__qr *, uint64_t seed, void *const *at, double *residual, struct tw_error *err);

#endif
