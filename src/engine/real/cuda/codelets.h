/* The kernels that GPUs can run, by workload. Each of the files ends with a table of them. Operands are in the order of
 * the families in kernels/. */
#ifndef TW__CUDA_CODELETS_H
#define TW__CUDA_CODELETS_H

#include "engine/real/cuda/cuda.h"
#include "precision.h"

/* The tables of codelets; {0} ends each. */
extern const struct tw__cuda_codelet tw__cuda_square[]; /* for cholesky, lu, matmul2d and matmul3d: codelets_square.c */
extern const struct tw__cuda_codelet tw__cuda_qr[];     /* for qr: codelets_qr.c */
extern const struct tw__cuda_codelet tw__cuda_cells[];  /* for stencil and life: codelets_cells.c */

/* Calls of cuBLAS on a GPU, in single or double precision. alpha and beta are -1, 0 or 1. The
 * functions return false if the call has failed; the reason is then stored in the device. */

/* The device and the precision of a call. */
struct tw__gpu_blas {
	struct tw__device *device;
	const struct tw__precision *precision;
};

static inline bool tw__gpu_is_single(const struct tw__gpu_blas *g) { return g->precision->bytes == sizeof(float); }

/* Computes C = alpha op(A) op(B) + beta C, where C is m x n. */
bool tw__gpu_gemm(const struct tw__gpu_blas *, int transa, int transb, int m, int n, int k, int alpha, const void *a,
                  int lda, const void *b, int ldb, int beta, void *c, int ldc);
/* Computes C = C - A A^T, n x n, only the lower triangle. */
bool tw__gpu_syrk(const struct tw__gpu_blas *, int n, const void *a, void *c);
/* Computes B = op(A)^-1 B, or B = B op(A)^-1, n x n, for a triangle A. */
bool tw__gpu_trsm(const struct tw__gpu_blas *, struct tw__blas_options, int n, const void *a, void *b);
/* Computes C = op(A) B, m x n, for a triangle A on the left. */
bool tw__gpu_trmm(const struct tw__gpu_blas *, struct tw__blas_options, int m, int n, const void *a, int lda,
                  const void *b, int ldb, void *c, int ldc);
/* Computes C = alpha A + beta B, m x n; A or B may be C. */
bool tw__gpu_add(const struct tw__gpu_blas *, int m, int n, int alpha, const void *a, int lda, int beta, const void *b,
                 int ldb, void *c, int ldc);

#endif
