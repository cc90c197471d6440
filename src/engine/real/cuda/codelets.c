/* The kernels that a GPU has: calls of cuBLAS and cuSOLVER on tiles, in the order of operands of the families in kernels/. */
#include <string.h>

#include "engine/real/cuda/cuda.h"
#include "product.h"
#include "square.h"

/* --- either precision ------------------------------------------------------------------------------------------- */

static bool is_single(const struct tw__square *s) { return s->precision->bytes == sizeof(float); }

/* C = C - A op(B) */
static bool gemm(const struct tw__cuda_call *call, int transb)
{
	const struct tw__square *s = call->shape;
	struct tw__device *d = call->device;
	const void *a = call->operands[0].at, *b = call->operands[1].at;
	void *c = call->operands[2].at;
	int n = s->nb;
	if (is_single(s))
		return TW__CUBLAS(d, cublasSgemm_v2, d->blas, TW__CUBLAS_N, transb, n, n, n, &(float){-1}, a, n, b, n,
		                  &(float){1}, c, n);
	return TW__CUBLAS(d, cublasDgemm_v2, d->blas, TW__CUBLAS_N, transb, n, n, n, &(double){-1}, a, n, b, n,
	                  &(double){1}, c, n);
}

struct solve {
	int side, uplo, trans, diag;
};

/* B = op(A)^-1 B, or B op(A)^-1 */
static bool trsm(const struct tw__cuda_call *call, struct solve how)
{
	const struct tw__square *s = call->shape;
	struct tw__device *d = call->device;
	const void *a = call->operands[0].at;
	void *b = call->operands[1].at;
	int n = s->nb;
	if (is_single(s))
		return TW__CUBLAS(d, cublasStrsm_v2, d->blas, how.side, how.uplo, how.trans, how.diag, n, n,
		                  &(float){1}, a, n, b, n);
	return TW__CUBLAS(d, cublasDtrsm_v2, d->blas, how.side, how.uplo, how.trans, how.diag, n, n, &(double){1}, a, n,
	                  b, n);
}

/* The number of elements that cuSOLVER needs is asked for once; 0 is no reason to give it none. */
static bool bytes_of(const struct tw__square *s, int elements, uint64_t *bytes)
{
	*bytes = (uint64_t)(elements > 0 ? elements : 1) * (uint64_t)s->precision->bytes;
	return true;
}

/* --- cholesky ----------------------------------------------------------------------------------------------------- */

static bool potrf_elements(struct tw__device *d, const struct tw__square *s, int *elements)
{
	int n = s->nb;
	return is_single(s) ? TW__CUSOLVER(d, cusolverDnSpotrf_bufferSize, d->solver, TW__CUBLAS_LOWER, n,
	                                   (float *)d->arena, n, elements)
	                    : TW__CUSOLVER(d, cusolverDnDpotrf_bufferSize, d->solver, TW__CUBLAS_LOWER, n,
	                                   (double *)d->arena, n, elements);
}

static bool potrf_bytes(struct tw__device *d, const void *shape, uint64_t *bytes)
{
	int elements = 0;
	return potrf_elements(d, shape, &elements) && bytes_of(shape, elements, bytes);
}

static bool potrf(const struct tw__cuda_call *call)
{
	const struct tw__square *s = call->shape;
	struct tw__device *d = call->device;
	void *a = call->operands[0].at;
	int n = s->nb, elements = (int)(d->work_bytes / (uint64_t)s->precision->bytes);
	return is_single(s) ? TW__CUSOLVER(d, cusolverDnSpotrf, d->solver, TW__CUBLAS_LOWER, n, a, n, call->work,
	                                   elements, call->info)
	                    : TW__CUSOLVER(d, cusolverDnDpotrf, d->solver, TW__CUBLAS_LOWER, n, a, n, call->work,
	                                   elements, call->info);
}

static bool cholesky_trsm(const struct tw__cuda_call *call)
{
	return trsm(call, (struct solve){TW__CUBLAS_RIGHT, TW__CUBLAS_LOWER, TW__CUBLAS_T, TW__CUBLAS_NON_UNIT});
}

/* C = C - A A^T, in the lower triangle */
static bool syrk(const struct tw__cuda_call *call)
{
	const struct tw__square *s = call->shape;
	struct tw__device *d = call->device;
	const void *a = call->operands[0].at;
	void *c = call->operands[1].at;
	int n = s->nb;
	if (is_single(s))
		return TW__CUBLAS(d, cublasSsyrk_v2, d->blas, TW__CUBLAS_LOWER, TW__CUBLAS_N, n, n, &(float){-1}, a, n,
		                  &(float){1}, c, n);
	return TW__CUBLAS(d, cublasDsyrk_v2, d->blas, TW__CUBLAS_LOWER, TW__CUBLAS_N, n, n, &(double){-1}, a, n,
	                  &(double){1}, c, n);
}

static bool cholesky_gemm(const struct tw__cuda_call *call) { return gemm(call, TW__CUBLAS_T); }

/* --- lu ------------------------------------------------------------------------------------------------------------- */

static bool getrf_bytes(struct tw__device *d, const void *shape, uint64_t *bytes)
{
	const struct tw__square *s = shape;
	int n = s->nb, elements = 0;
	bool good = is_single(s) ? TW__CUSOLVER(d, cusolverDnSgetrf_bufferSize, d->solver, n, n, (float *)d->arena, n,
	                                        &elements)
	                         : TW__CUSOLVER(d, cusolverDnDgetrf_bufferSize, d->solver, n, n, (double *)d->arena, n,
	                                        &elements);
	return good && bytes_of(s, elements, bytes);
}

/* Without pivots. */
static bool getrf(const struct tw__cuda_call *call)
{
	const struct tw__square *s = call->shape;
	struct tw__device *d = call->device;
	void *a = call->operands[0].at;
	int n = s->nb;
	return is_single(s) ? TW__CUSOLVER(d, cusolverDnSgetrf, d->solver, n, n, a, n, call->work, NULL, call->info)
	                    : TW__CUSOLVER(d, cusolverDnDgetrf, d->solver, n, n, a, n, call->work, NULL, call->info);
}

static bool trsm_l(const struct tw__cuda_call *call)
{
	return trsm(call, (struct solve){TW__CUBLAS_LEFT, TW__CUBLAS_LOWER, TW__CUBLAS_N, TW__CUBLAS_UNIT});
}

static bool trsm_u(const struct tw__cuda_call *call)
{
	return trsm(call, (struct solve){TW__CUBLAS_RIGHT, TW__CUBLAS_UPPER, TW__CUBLAS_N, TW__CUBLAS_NON_UNIT});
}

static bool lu_gemm(const struct tw__cuda_call *call) { return gemm(call, TW__CUBLAS_N); }

/* --- matmul2d, matmul3d ----------------------------------------------------------------------------------------------- */

/* C = A B, or C += A B */
static bool multiply(const struct tw__cuda_call *call)
{
	const struct tw__multiply *s = call->shape;
	struct tw__device *d = call->device;
	const void *a = call->operands[0].at, *b = call->operands[1].at;
	void *c = call->operands[2].at;
	double kept = call->operands[2].mode & TW_R ? 1 : 0;
	int n = s->nb, k = s->k;
	if (s->precision->bytes == sizeof(float))
		return TW__CUBLAS(d, cublasSgemm_v2, d->blas, TW__CUBLAS_N, TW__CUBLAS_N, n, n, k, &(float){1}, a, n, b,
		                  k, &(float){(float)kept}, c, n);
	return TW__CUBLAS(d, cublasDgemm_v2, d->blas, TW__CUBLAS_N, TW__CUBLAS_N, n, n, k, &(double){1}, a, n, b, k,
	                  &kept, c, n);
}

/* --- all ------------------------------------------------------------------------------------------------------------ */

static const struct tw__cuda_codelet codelets[] = {
	/* clang-format off */
	{"cholesky", "potrf", potrf, potrf_bytes, true},
	{"cholesky", "trsm", cholesky_trsm, NULL, false},
	{"cholesky", "syrk", syrk, NULL, false},
	{"cholesky", "gemm", cholesky_gemm, NULL, false},
	{"lu", "getrf", getrf, getrf_bytes, true},
	{"lu", "trsm_l", trsm_l, NULL, false},
	{"lu", "trsm_u", trsm_u, NULL, false},
	{"lu", "lu.gemm", lu_gemm, NULL, false},
	{"matmul2d", "gemm", multiply, NULL, false},
	{"matmul3d", "gemm", multiply, NULL, false},
	/* clang-format on */
};

const struct tw__cuda_codelet *tw__cuda_codelet_of(const char *workload, const char *kernel)
{
	for (size_t i = 0; i < sizeof codelets / sizeof *codelets; i++)
		if (strcmp(codelets[i].workload, workload) == 0 && strcmp(codelets[i].kernel, kernel) == 0)
			return &codelets[i];
	return NULL;
}
