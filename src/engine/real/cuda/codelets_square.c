/* Kernels for GPUs of Cholesky, LU and matrix products: calls of cuBLAS and cuSOLVER on square tiles. */
#include "engine/real/cuda/codelets.h"
#include "product.h"
#include "square.h"

static struct tw__gpu_blas blas_of(const struct tw__cuda_call *call)
{
	return (struct tw__gpu_blas){call->device, ((const struct tw__square *)call->shape)->precision};
}

/* Computes C = C - A op(B). */
static bool subtract(const struct tw__cuda_call *call)
{
	struct tw__gpu_blas blas = blas_of(call);
	int n = ((const struct tw__square *)call->shape)->nb;
	return tw__gpu_gemm(&blas, TW__CUBLAS_N, call->codelet->options.trans, n, n, n, -1, call->operands[0].at, n,
	                    call->operands[1].at, n, 1, call->operands[2].at, n);
}

/* Solves a triangular system. Operands: the triangle, the tile that is solved in place. */
static bool solve(const struct tw__cuda_call *call)
{
	struct tw__gpu_blas blas = blas_of(call);
	int n = ((const struct tw__square *)call->shape)->nb;
	return tw__gpu_trsm(&blas, call->codelet->options, n, call->operands[0].at, call->operands[1].at);
}

/* Calls a function of cuSOLVER on device `d`, in the precision of shape `s`, as in CALL(d, s, potrf, ...). */
#define CALL(d, s, name, ...)                                                                                  \
	((s)->precision->bytes == sizeof(float) ? TW__CUSOLVER(d, cusolverDnS##name, (d)->solver, __VA_ARGS__) \
	                                        : TW__CUSOLVER(d, cusolverDnD##name, (d)->solver, __VA_ARGS__))

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
	int elements = 0;
	bool good = CALL(d, s, potrf_bufferSize, TW__CUBLAS_LOWER, s->nb, (void *)d->arena, s->nb, &elements);
	*bytes = bytes_of(s, elements);
	return good;
}

static bool potrf(const struct tw__cuda_call *call)
{
	const struct tw__square *s = call->shape;
	return CALL(call->device, s, potrf, TW__CUBLAS_LOWER, s->nb, call->operands[0].at, s->nb, call->work,
	            elements_of(call), call->info);
}

static bool syrk(const struct tw__cuda_call *call)
{
	struct tw__gpu_blas blas = blas_of(call);
	return tw__gpu_syrk(&blas, ((const struct tw__square *)call->shape)->nb, call->operands[0].at,
	                    call->operands[1].at);
}

/* --- lu ----------------------------------------------------------------------------------------------------------- */

static bool getrf_bytes(struct tw__device *d, const void *shape, uint64_t *bytes)
{
	const struct tw__square *s = shape;
	int elements = 0;
	bool good = CALL(d, s, getrf_bufferSize, s->nb, s->nb, (void *)d->arena, s->nb, &elements);
	*bytes = bytes_of(s, elements);
	return good;
}

/* Factors a tile into L U without pivoting. */
static bool getrf(const struct tw__cuda_call *call)
{
	const struct tw__square *s = call->shape;
	return CALL(call->device, s, getrf, s->nb, s->nb, call->operands[0].at, s->nb, call->work, NULL, call->info);
}

/* --- matmul2d, matmul3d ------------------------------------------------------------------------------------------- */

/* Computes C = A B, or C += A B if the task also reads C. */
static bool multiply(const struct tw__cuda_call *call)
{
	const struct tw__multiply *s = call->shape;
	struct tw__gpu_blas blas = {call->device, s->precision};
	const int kept = call->operands[2].mode & TW_R ? 1 : 0;
	return tw__gpu_gemm(&blas, TW__CUBLAS_N, TW__CUBLAS_N, s->nb, s->nb, s->k, 1, call->operands[0].at, s->nb,
	                    call->operands[1].at, s->k, kept, call->operands[2].at, s->nb);
}

const struct tw__cuda_codelet tw__cuda_square[] = {
	{"cholesky", "potrf", potrf, potrf_bytes, .tells_info = true},
	{"cholesky", "trsm", solve, .options = {TW__CUBLAS_RIGHT, TW__CUBLAS_LOWER, TW__CUBLAS_T, TW__CUBLAS_NON_UNIT}},
	{"cholesky", "syrk", syrk},
	{"cholesky", "gemm", subtract, .options = {.trans = TW__CUBLAS_T}},
	{"lu", "getrf", getrf, getrf_bytes, .tells_info = true},
	{"lu", "trsm_l", solve, .options = {TW__CUBLAS_LEFT, TW__CUBLAS_LOWER, TW__CUBLAS_N, TW__CUBLAS_UNIT}},
	{"lu", "trsm_u", solve, .options = {TW__CUBLAS_RIGHT, TW__CUBLAS_UPPER, TW__CUBLAS_N, TW__CUBLAS_NON_UNIT}},
	{"lu", "lu.gemm", subtract, .options = {.trans = TW__CUBLAS_N}},
	{"matmul2d", "gemm", multiply},
	{"matmul3d", "gemm", multiply},
	{0},
};
