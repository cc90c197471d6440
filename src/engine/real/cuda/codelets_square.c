/* Kernels for GPUs of Cholesky, LU and matrix products: calls of cuBLAS and cuSOLVER on square tiles. */
#include "engine/real/cuda/codelets.h"
#include "product.h"
#include "square.h"

static struct tw__gpu_blas blas_of(const struct tw__cuda_call *call)
{
	return (struct tw__gpu_blas){call->device, ((const struct tw__square *)call->shape)->precision};
}

/* Computes C = C - A op(B). */
static bool subtract(const struct tw__cuda_call *call, int transb)
{
	struct tw__gpu_blas blas = blas_of(call);
	int n = ((const struct tw__square *)call->shape)->nb;
	return tw__gpu_gemm(&blas, TW__CUBLAS_N, transb, n, n, n, -1, call->operands[0].at, n, call->operands[1].at, n,
	                    1, call->operands[2].at, n);
}

/* Solves a triangular system. Operands: the triangle, the tile that is solved in place. */
static bool solve(const struct tw__cuda_call *call, struct tw__triangle how)
{
	struct tw__gpu_blas blas = blas_of(call);
	int n = ((const struct tw__square *)call->shape)->nb;
	return tw__gpu_trsm(&blas, how, n, call->operands[0].at, call->operands[1].at);
}

/* Returns the bytes of a workspace. cuSOLVER reports how many elements it needs; for 0 it still gets one element. */
static uint64_t bytes_of(const struct tw__square *s, int elements)
{
	return (uint64_t)(elements > 0 ? elements : 1) * (uint64_t)s->precision->bytes;
}

static int elements_of(const struct tw__cuda_call *call)
{
	const struct tw__square *s = call->shape;
	return (int)(call->device->work_bytes / (uint64_t)s->precision->bytes);
}

/* --- cholesky ----------------------------------------------------------------------------------------------------- */

static bool potrf_bytes(struct tw__device *d, const void *shape, uint64_t *bytes)
{
	const struct tw__square *s = shape;
	struct tw__gpu_blas blas = {d, s->precision};
	int n = s->nb, elements = 0;
	bool good = tw__gpu_is_single(&blas) ? TW__CUSOLVER(d, cusolverDnSpotrf_bufferSize, d->solver, TW__CUBLAS_LOWER,
	                                                    n, (float *)d->arena, n, &elements)
	                                     : TW__CUSOLVER(d, cusolverDnDpotrf_bufferSize, d->solver, TW__CUBLAS_LOWER,
	                                                    n, (double *)d->arena, n, &elements);
	*bytes = bytes_of(s, elements);
	return good;
}

static bool potrf(const struct tw__cuda_call *call)
{
	struct tw__device *d = call->device;
	struct tw__gpu_blas blas = blas_of(call);
	void *a = call->operands[0].at;
	int n = ((const struct tw__square *)call->shape)->nb;
	return tw__gpu_is_single(&blas) ? TW__CUSOLVER(d, cusolverDnSpotrf, d->solver, TW__CUBLAS_LOWER, n, a, n,
	                                               call->work, elements_of(call), call->info)
	                                : TW__CUSOLVER(d, cusolverDnDpotrf, d->solver, TW__CUBLAS_LOWER, n, a, n,
	                                               call->work, elements_of(call), call->info);
}

static bool cholesky_trsm(const struct tw__cuda_call *call)
{
	return solve(call,
	             (struct tw__triangle){TW__CUBLAS_RIGHT, TW__CUBLAS_LOWER, TW__CUBLAS_T, TW__CUBLAS_NON_UNIT});
}

static bool syrk(const struct tw__cuda_call *call)
{
	struct tw__gpu_blas blas = blas_of(call);
	return tw__gpu_syrk(&blas, ((const struct tw__square *)call->shape)->nb, call->operands[0].at,
	                    call->operands[1].at);
}

static bool cholesky_gemm(const struct tw__cuda_call *call) { return subtract(call, TW__CUBLAS_T); }

/* --- lu ----------------------------------------------------------------------------------------------------------- */

static bool getrf_bytes(struct tw__device *d, const void *shape, uint64_t *bytes)
{
	const struct tw__square *s = shape;
	struct tw__gpu_blas blas = {d, s->precision};
	int n = s->nb, elements = 0;
	bool good = tw__gpu_is_single(&blas) ? TW__CUSOLVER(d, cusolverDnSgetrf_bufferSize, d->solver, n, n,
	                                                    (float *)d->arena, n, &elements)
	                                     : TW__CUSOLVER(d, cusolverDnDgetrf_bufferSize, d->solver, n, n,
	                                                    (double *)d->arena, n, &elements);
	*bytes = bytes_of(s, elements);
	return good;
}

/* Factors a tile into L U without pivoting. */
static bool getrf(const struct tw__cuda_call *call)
{
	struct tw__device *d = call->device;
	struct tw__gpu_blas blas = blas_of(call);
	void *a = call->operands[0].at;
	int n = ((const struct tw__square *)call->shape)->nb;
	return tw__gpu_is_single(&blas)
	               ? TW__CUSOLVER(d, cusolverDnSgetrf, d->solver, n, n, a, n, call->work, NULL, call->info)
	               : TW__CUSOLVER(d, cusolverDnDgetrf, d->solver, n, n, a, n, call->work, NULL, call->info);
}

static bool trsm_l(const struct tw__cuda_call *call)
{
	return solve(call, (struct tw__triangle){TW__CUBLAS_LEFT, TW__CUBLAS_LOWER, TW__CUBLAS_N, TW__CUBLAS_UNIT});
}

static bool trsm_u(const struct tw__cuda_call *call)
{
	return solve(call,
	             (struct tw__triangle){TW__CUBLAS_RIGHT, TW__CUBLAS_UPPER, TW__CUBLAS_N, TW__CUBLAS_NON_UNIT});
}

static bool lu_gemm(const struct tw__cuda_call *call) { return subtract(call, TW__CUBLAS_N); }

/* --- matmul2d, matmul3d ------------------------------------------------------------------------------------------- */

/* Computes C = A B, or C += A B if the task also reads C. */
static bool multiply(const struct tw__cuda_call *call)
{
	const struct tw__multiply *s = call->shape;
	struct tw__gpu_blas blas = {call->device, s->precision};
	double kept = call->operands[2].mode & TW_R ? 1 : 0;
	return tw__gpu_gemm(&blas, TW__CUBLAS_N, TW__CUBLAS_N, s->nb, s->nb, s->k, 1, call->operands[0].at, s->nb,
	                    call->operands[1].at, s->k, kept, call->operands[2].at, s->nb);
}

const struct tw__cuda_codelet tw__cuda_square[] = {
	{"cholesky", "potrf", potrf, potrf_bytes, .tells_info = true},
	{"cholesky", "trsm", cholesky_trsm},
	{"cholesky", "syrk", syrk},
	{"cholesky", "gemm", cholesky_gemm},
	{"lu", "getrf", getrf, getrf_bytes, .tells_info = true},
	{"lu", "trsm_l", trsm_l},
	{"lu", "trsm_u", trsm_u},
	{"lu", "lu.gemm", lu_gemm},
	{"matmul2d", "gemm", multiply},
	{"matmul3d", "gemm", multiply},
	{0},
};
