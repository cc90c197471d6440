/* Calls of CUDA's libraries: messages of failed ones, and those of cuBLAS in either precision. */
#include <stdio.h>

#include "engine/real/cuda/codelets.h"

static bool good(struct tw__device *d, const char *function, int status, const char *text)
{
	if (status == 0)
		return true;
	if (!*d->why)
		snprintf(d->why, sizeof d->why, "%s on '%s': error %d%s%s", function, d->name, status, text ? ": " : "",
		         text ? text : "");
	return false;
}

bool tw__cuda_good(struct tw__device *d, const char *function, int status)
{
	return good(d, function, status, status ? d->api->cudaGetErrorString(status) : NULL);
}

bool tw__cuda_driver_good(struct tw__device *d, const char *function, int status)
{
	const char *text = NULL;
	if (status)
		d->api->cuGetErrorString(status, &text);
	return good(d, function, status, text);
}

bool tw__cublas_good(struct tw__device *d, const char *function, int status)
{
	return good(d, function, status, status ? d->api->cublasGetStatusString(status) : NULL);
}

bool tw__cusolver_good(struct tw__device *d, const char *function, int status)
{
	return good(d, function, status, NULL);
}

/* --- cuBLAS ------------------------------------------------------------------------------------------------------- */

/* Returns -1, 0 or 1 in the precision of a call. */
static const void *scalar(const struct tw__gpu_blas *g, int value)
{
	static const float single[] = {-1, 0, 1};
	static const double twice[] = {-1, 0, 1};
	return tw__gpu_is_single(g) ? (const void *)&single[value + 1] : (const void *)&twice[value + 1];
}

/* Calls a function of cuBLAS in the precision of `g`, as in CALL(g, gemm_v2, ...). */
#define CALL(g, name, ...)                                                                             \
	(tw__gpu_is_single(g) ? TW__CUBLAS((g)->device, cublasS##name, (g)->device->blas, __VA_ARGS__) \
	                      : TW__CUBLAS((g)->device, cublasD##name, (g)->device->blas, __VA_ARGS__))

bool tw__gpu_gemm(const struct tw__gpu_blas *g, int transa, int transb, int m, int n, int k, int alpha, const void *a,
                  int lda, const void *b, int ldb, int beta, void *c, int ldc)
{
	return CALL(g, gemm_v2, transa, transb, m, n, k, scalar(g, alpha), a, lda, b, ldb, scalar(g, beta), c, ldc);
}

bool tw__gpu_syrk(const struct tw__gpu_blas *g, int n, const void *a, void *c)
{
	return CALL(g, syrk_v2, TW__CUBLAS_LOWER, TW__CUBLAS_N, n, n, scalar(g, -1), a, n, scalar(g, 1), c, n);
}

bool tw__gpu_trsm(const struct tw__gpu_blas *g, struct tw__blas_options t, int n, const void *a, void *b)
{
	return CALL(g, trsm_v2, t.side, t.uplo, t.trans, t.diag, n, n, scalar(g, 1), a, n, b, n);
}

bool tw__gpu_trmm(const struct tw__gpu_blas *g, struct tw__blas_options t, int m, int n, const void *a, int lda,
                  const void *b, int ldb, void *c, int ldc)
{
	return CALL(g, trmm_v2, t.side, t.uplo, t.trans, t.diag, m, n, scalar(g, 1), a, lda, b, ldb, c, ldc);
}

bool tw__gpu_add(const struct tw__gpu_blas *g, int m, int n, int alpha, const void *a, int lda, int beta, const void *b,
                 int ldb, void *c, int ldc)
{
	return CALL(g, geam, TW__CUBLAS_N, TW__CUBLAS_N, m, n, scalar(g, alpha), a, lda, scalar(g, beta), b, ldb, c,
	            ldc);
}
