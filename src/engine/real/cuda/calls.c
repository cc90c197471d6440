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

bool tw__gpu_gemm(const struct tw__gpu_blas *g, int transa, int transb, int m, int n, int k, double alpha,
                  const void *a, int lda, const void *b, int ldb, double beta, void *c, int ldc)
{
	struct tw__device *d = g->device;
	float single_alpha = (float)alpha, single_beta = (float)beta;
	return tw__gpu_is_single(g) ? TW__CUBLAS(d, cublasSgemm_v2, d->blas, transa, transb, m, n, k, &single_alpha, a,
	                                         lda, b, ldb, &single_beta, c, ldc)
	                            : TW__CUBLAS(d, cublasDgemm_v2, d->blas, transa, transb, m, n, k, &alpha, a, lda, b,
	                                         ldb, &beta, c, ldc);
}

bool tw__gpu_syrk(const struct tw__gpu_blas *g, int n, const void *a, void *c)
{
	struct tw__device *d = g->device;
	return tw__gpu_is_single(g) ? TW__CUBLAS(d, cublasSsyrk_v2, d->blas, TW__CUBLAS_LOWER, TW__CUBLAS_N, n, n,
	                                         &(float){-1}, a, n, &(float){1}, c, n)
	                            : TW__CUBLAS(d, cublasDsyrk_v2, d->blas, TW__CUBLAS_LOWER, TW__CUBLAS_N, n, n,
	                                         &(double){-1}, a, n, &(double){1}, c, n);
}

bool tw__gpu_trsm(const struct tw__gpu_blas *g, struct tw__triangle t, int n, const void *a, void *b)
{
	struct tw__device *d = g->device;
	return tw__gpu_is_single(g) ? TW__CUBLAS(d, cublasStrsm_v2, d->blas, t.side, t.uplo, t.trans, t.diag, n, n,
	                                         &(float){1}, a, n, b, n)
	                            : TW__CUBLAS(d, cublasDtrsm_v2, d->blas, t.side, t.uplo, t.trans, t.diag, n, n,
	                                         &(double){1}, a, n, b, n);
}

bool tw__gpu_trmm(const struct tw__gpu_blas *g, struct tw__triangle t, int m, int n, const void *a, int lda,
                  const void *b, int ldb, void *c, int ldc)
{
	struct tw__device *d = g->device;
	return tw__gpu_is_single(g) ? TW__CUBLAS(d, cublasStrmm_v2, d->blas, t.side, t.uplo, t.trans, t.diag, m, n,
	                                         &(float){1}, a, lda, b, ldb, c, ldc)
	                            : TW__CUBLAS(d, cublasDtrmm_v2, d->blas, t.side, t.uplo, t.trans, t.diag, m, n,
	                                         &(double){1}, a, lda, b, ldb, c, ldc);
}

bool tw__gpu_add(const struct tw__gpu_blas *g, int m, int n, double alpha, const void *a, int lda, double beta,
                 const void *b, int ldb, void *c, int ldc)
{
	struct tw__device *d = g->device;
	float single_alpha = (float)alpha, single_beta = (float)beta;
	return tw__gpu_is_single(g) ? TW__CUBLAS(d, cublasSgeam, d->blas, TW__CUBLAS_N, TW__CUBLAS_N, m, n,
	                                         &single_alpha, a, lda, &single_beta, b, ldb, c, ldc)
	                            : TW__CUBLAS(d, cublasDgeam, d->blas, TW__CUBLAS_N, TW__CUBLAS_N, m, n, &alpha, a,
	                                         lda, &beta, b, ldb, c, ldc);
}
