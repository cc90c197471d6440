/* Calls of cuBLAS on a GPU, in either precision. alpha and beta are numbers that both precisions have. As everywhere here, false means that
 * the call has failed, and that the device knows why. */
#ifndef TW__CUDA_BLAS_H
#define TW__CUDA_BLAS_H

#include "engine/real/cuda/cuda.h"
#include "precision.h"

/* Where, and in which precision. */
struct tw__gpu_blas {
	struct tw__device *device;
	const struct tw__precision *precision;
};

static inline bool tw__gpu_is_single(const struct tw__gpu_blas *g) { return g->precision->bytes == sizeof(float); }

struct tw__triangle {
	int side, uplo, trans, diag;
};

/* C = alpha op(A) op(B) + beta C; C is m x n. */
bool tw__gpu_gemm(const struct tw__gpu_blas *, int transa, int transb, int m, int n, int k, double alpha, const void *a,
                  int lda, const void *b, int ldb, double beta, void *c, int ldc);
/* C = C - A A^T of n x n, in the lower triangle. */
bool tw__gpu_syrk(const struct tw__gpu_blas *, int n, const void *a, void *c);
/* B = op(A)^-1 B, or B op(A)^-1, of n x n. */
bool tw__gpu_trsm(const struct tw__gpu_blas *, struct tw__triangle, int n, const void *a, void *b);
/* C = op(A) B of m x n; A is on the left. */
bool tw__gpu_trmm(const struct tw__gpu_blas *, struct tw__triangle, int m, int n, const void *a, int lda, const void *b,
                  int ldb, void *c, int ldc);
/* C = alpha A + beta B of m x n; A or B may be C. */
bool tw__gpu_add(const struct tw__gpu_blas *, int m, int n, double alpha, const void *a, int lda, double beta,
                 const void *b, int ldb, void *c, int ldc);

#endif
