/* cuBLAS without triangles (standin_triangle.c). OpenBLAS does the arithmetic, in the stream of the handle. */
#include "standin_blas.h"

#include <stdlib.h>

#include "../../kernels/blas.h"

/* --- shared functions --------------------------------------------------------------------------------------------- */

double standin_number(const void *at, bool is_double)
{
	return is_double ? *(const double *)at : (double)*(const float *)at;
}

struct standin_matrix standin_matrix(bool is_double, const void *at, int rows, int columns, int ld, char part)
{
	return (struct standin_matrix){
		(char *)(uintptr_t)at, is_double ? sizeof(double) : sizeof(float), rows, columns, ld, part};
}

char standin_letter(const char *letters, int n, int value) { return value >= 0 && value < n ? letters[value] : 0; }
char standin_trans(int value) { return standin_letter("NTT", 3, value); } /* the third one conjugates */
char standin_uplo(int value) { return standin_letter("LU", 2, value); }

bool standin_is_in_place(const struct standin_matrix *operand, char trans, const struct standin_matrix *result)
{
	return trans == 'N' && operand->at == result->at && operand->ld == result->ld;
}

bool standin_is_apart(const char *function, const char *name, const struct standin_matrix *operand,
                      const struct standin_matrix *result)
{
	bool is_apart = !standin_matrices_overlap(operand, result);
	if (!is_apart)
		standin_refuse(0, function, "%s, at %p with leading dimension %d, overlaps C, at %p with %d", name,
		               (void *)operand->at, operand->ld, (void *)result->at, result->ld);
	return is_apart;
}

int standin_enqueue_call(const char *function, const struct standin_handle *handle, const struct standin_call *words,
                         void (*run)(struct standin_op *))
{
	struct standin_call *call = malloc(sizeof *call);
	if (!call)
		return STANDIN_BLAS_NO_MEMORY;
	*call = *words;
	call->op = (struct standin_op){.run = run, .least_s = standin_kernel_s(function), .kind = STANDIN_KERNEL};
	standin_launch();
	if (!standin_enqueue(function, handle->stream, &call->op))
		return STANDIN_BLAS_INVALID;
	standin_block(function);
	return 0;
}

/* --- gemm --------------------------------------------------------------------------------------------------------- */

static void run_gemm(struct standin_op *op)
{
	const struct standin_call *c = (const struct standin_call *)op;
	float alpha = (float)c->alpha, beta = (float)c->beta;
	standin_reads(&c->a);
	standin_reads(&c->b);
	standin_writes(&c->c);
	if (c->is_double)
		dgemm_(&c->trans[0], &c->trans[1], &c->m, &c->n, &c->k, &c->alpha, (double *)c->a.at, &c->a.ld,
		       (double *)c->b.at, &c->b.ld, &c->beta, (double *)c->c.at, &c->c.ld, 1, 1);
	else
		sgemm_(&c->trans[0], &c->trans[1], &c->m, &c->n, &c->k, &alpha, (float *)c->a.at, &c->a.ld,
		       (float *)c->b.at, &c->b.ld, &beta, (float *)c->c.at, &c->c.ld, 1, 1);
}

static int gemm(const char *function, bool is_double, tw__cublas blas, int transa, int transb, int m, int n, int k,
                const void *alpha, const void *a, int lda, const void *b, int ldb, const void *beta, void *c, int ldc)
{
	struct standin_handle handle;
	char ta = standin_trans(transa), tb = standin_trans(transb);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!ta || !tb || !alpha || !beta)
		return standin_refuse(STANDIN_BLAS_INVALID, function, "operations %d and %d, alpha at %p, beta at %p",
		                      transa, transb, alpha, beta);
	struct standin_call call = {.is_double = is_double,
	                            .trans = {ta, tb},
	                            .m = m,
	                            .n = n,
	                            .k = k,
	                            .alpha = standin_number(alpha, is_double),
	                            .beta = standin_number(beta, is_double),
	                            .a = standin_matrix(is_double, a, ta == 'N' ? m : k, ta == 'N' ? k : m, lda, 'F'),
	                            .b = standin_matrix(is_double, b, tb == 'N' ? k : n, tb == 'N' ? n : k, ldb, 'F'),
	                            .c = standin_matrix(is_double, c, m, n, ldc, 'F')};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "B", handle.device, &call.b) ||
	    !standin_matrix_is_good(function, "C", handle.device, &call.c))
		return STANDIN_BLAS_INVALID;
	return standin_enqueue_call(function, &handle, &call, run_gemm);
}

/* --- syrk --------------------------------------------------------------------------------------------------------- */

static void run_syrk(struct standin_op *op)
{
	const struct standin_call *c = (const struct standin_call *)op;
	float alpha = (float)c->alpha, beta = (float)c->beta;
	standin_reads(&c->a);
	standin_writes(&c->c);
	if (c->is_double)
		dsyrk_(&c->uplo, &c->trans[0], &c->n, &c->k, &c->alpha, (double *)c->a.at, &c->a.ld, &c->beta,
		       (double *)c->c.at, &c->c.ld, 1, 1);
	else
		ssyrk_(&c->uplo, &c->trans[0], &c->n, &c->k, &alpha, (float *)c->a.at, &c->a.ld, &beta,
		       (float *)c->c.at, &c->c.ld, 1, 1);
}

static int syrk(const char *function, bool is_double, tw__cublas blas, int uplo, int trans, int n, int k,
                const void *alpha, const void *a, int lda, const void *beta, void *c, int ldc)
{
	struct standin_handle handle;
	char ul = standin_uplo(uplo), t = standin_trans(trans);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!ul || !t || !alpha || !beta)
		return standin_refuse(STANDIN_BLAS_INVALID, function,
		                      "triangle %d, operation %d, alpha at %p, beta at %p", uplo, trans, alpha, beta);
	struct standin_call call = {.is_double = is_double,
	                            .uplo = ul,
	                            .trans = {t},
	                            .n = n,
	                            .k = k,
	                            .alpha = standin_number(alpha, is_double),
	                            .beta = standin_number(beta, is_double),
	                            .a = standin_matrix(is_double, a, t == 'N' ? n : k, t == 'N' ? k : n, lda, 'F'),
	                            .c = standin_matrix(is_double, c, n, n, ldc, ul)};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "C", handle.device, &call.c))
		return STANDIN_BLAS_INVALID;
	return standin_enqueue_call(function, &handle, &call, run_syrk);
}

/* --- geam --------------------------------------------------------------------------------------------------------- */

/* The thread sanitizer sees these loops. Operands with the factor 0 are not read. */
#define ADD(name, real)                                                                                     \
	static void name(const struct standin_call *call)                                                   \
	{                                                                                                   \
		const real *a = (const real *)call->a.at, *b = (const real *)call->b.at;                    \
		real *c = (real *)call->c.at, alpha = (real)call->alpha, beta = (real)call->beta;           \
		size_t lda = (size_t)call->a.ld, ldb = (size_t)call->b.ld, ldc = (size_t)call->c.ld;        \
		size_t m = (size_t)call->m, n = (size_t)call->n;                                            \
		for (size_t j = 0; j < n; j++)                                                              \
			for (size_t i = 0; i < m; i++) {                                                    \
				real sum = 0;                                                               \
				if (alpha != 0)                                                             \
					sum = alpha * a[call->trans[0] == 'N' ? i + j * lda : j + i * lda]; \
				if (beta != 0)                                                              \
					sum += beta * b[call->trans[1] == 'N' ? i + j * ldb : j + i * ldb]; \
				c[i + j * ldc] = sum;                                                       \
			}                                                                                   \
	}
ADD(add_float, float)
ADD(add_double, double)

static void run_geam(struct standin_op *op)
{
	const struct standin_call *c = (const struct standin_call *)op;
	(c->is_double ? add_double : add_float)(c);
}

/* An operand is checked even if its factor is 0. */
static int geam(const char *function, bool is_double, tw__cublas blas, int transa, int transb, int m, int n,
                const void *alpha, const void *a, int lda, const void *beta, const void *b, int ldb, void *c, int ldc)
{
	struct standin_handle handle;
	char ta = standin_trans(transa), tb = standin_trans(transb);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!ta || !tb || !alpha || !beta)
		return standin_refuse(STANDIN_BLAS_INVALID, function, "operations %d and %d, alpha at %p, beta at %p",
		                      transa, transb, alpha, beta);
	struct standin_call call = {.is_double = is_double,
	                            .trans = {ta, tb},
	                            .m = m,
	                            .n = n,
	                            .alpha = standin_number(alpha, is_double),
	                            .beta = standin_number(beta, is_double),
	                            .a = standin_matrix(is_double, a, ta == 'N' ? m : n, ta == 'N' ? n : m, lda, 'F'),
	                            .b = standin_matrix(is_double, b, tb == 'N' ? m : n, tb == 'N' ? n : m, ldb, 'F'),
	                            .c = standin_matrix(is_double, c, m, n, ldc, 'F')};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "B", handle.device, &call.b) ||
	    !standin_matrix_is_good(function, "C", handle.device, &call.c))
		return STANDIN_BLAS_INVALID;
	if ((!standin_is_in_place(&call.a, ta, &call.c) && !standin_is_apart(function, "A", &call.a, &call.c)) ||
	    (!standin_is_in_place(&call.b, tb, &call.c) && !standin_is_apart(function, "B", &call.b, &call.c)))
		return STANDIN_BLAS_INVALID;
	return standin_enqueue_call(function, &handle, &call, run_geam);
}

/* --- in both precisions ------------------------------------------------------------------------------------------- */

#define EXPORT(p, real, is_double)                                                                                    \
	int cublas##p##gemm_v2(tw__cublas blas, int transa, int transb, int m, int n, int k, const real *alpha,       \
	                       const real *a, int lda, const real *b, int ldb, const real *beta, real *c, int ldc)    \
	{                                                                                                             \
		return gemm(__func__, is_double, blas, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); \
	}                                                                                                             \
	int cublas##p##syrk_v2(tw__cublas blas, int uplo, int trans, int n, int k, const real *alpha, const real *a,  \
	                       int lda, const real *beta, real *c, int ldc)                                           \
	{                                                                                                             \
		return syrk(__func__, is_double, blas, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);               \
	}                                                                                                             \
	int cublas##p##geam(tw__cublas blas, int transa, int transb, int m, int n, const real *alpha, const real *a,  \
	                    int lda, const real *beta, const real *b, int ldb, real *c, int ldc)                      \
	{                                                                                                             \
		return geam(__func__, is_double, blas, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);    \
	}

EXPORT(S, float, false)
EXPORT(D, double, true)
