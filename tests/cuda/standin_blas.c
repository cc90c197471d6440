/* cuBLAS: the arithmetic is OpenBLAS's, in the stream of the handle. */
#include "standin.h"

#include <stdlib.h>

#include "../../kernels/blas.h"

/* A call, with the letters that Fortran takes. A float is a double that is one, so that alpha and beta are what they were. */
struct call {
	struct standin_op op;
	bool is_double;
	char side, uplo, trans[2], diag;
	int m, n, k;
	double alpha, beta;
	struct standin_matrix a, b, c;
};

static double number(const void *at, bool is_double)
{
	return is_double ? *(const double *)at : (double)*(const float *)at;
}

static struct standin_matrix matrix(bool is_double, const void *at, int rows, int columns, int ld, char part)
{
	return (struct standin_matrix){
		(char *)(uintptr_t)at, is_double ? sizeof(double) : sizeof(float), rows, columns, ld, part};
}

/* The letter of an enumeration; 0: it has no such value. */
static char letter(const char *letters, int n, int value) { return value >= 0 && value < n ? letters[value] : 0; }
static char trans_of(int value) { return letter("NTT", 3, value); } /* the third one conjugates */
static char uplo_of(int value) { return letter("LU", 2, value); }
static char side_of(int value) { return letter("LR", 2, value); }
static char diag_of(int value) { return letter("NU", 2, value); }

static int enqueue(const char *function, const struct standin_handle *handle, const struct call *words,
                   void (*run)(struct standin_op *))
{
	struct call *call = malloc(sizeof *call);
	if (!call)
		return STANDIN_BLAS_NO_MEMORY;
	*call = *words;
	call->op = (struct standin_op){.run = run, .least_s = standin_settings()->kernel_s};
	return standin_enqueue(function, handle->stream, &call->op) ? 0 : STANDIN_BLAS_INVALID;
}

/* --- gemm --------------------------------------------------------------------------------------------------------- */

static void run_gemm(struct standin_op *op)
{
	const struct call *c = (const struct call *)op;
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
	char ta = trans_of(transa), tb = trans_of(transb);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!ta || !tb || !alpha || !beta)
		return standin_refuse(STANDIN_BLAS_INVALID, function, "operations %d and %d, alpha at %p, beta at %p",
		                      transa, transb, alpha, beta);
	struct call call = {.is_double = is_double,
	                    .trans = {ta, tb},
	                    .m = m,
	                    .n = n,
	                    .k = k,
	                    .alpha = number(alpha, is_double),
	                    .beta = number(beta, is_double),
	                    .a = matrix(is_double, a, ta == 'N' ? m : k, ta == 'N' ? k : m, lda, 'F'),
	                    .b = matrix(is_double, b, tb == 'N' ? k : n, tb == 'N' ? n : k, ldb, 'F'),
	                    .c = matrix(is_double, c, m, n, ldc, 'F')};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "B", handle.device, &call.b) ||
	    !standin_matrix_is_good(function, "C", handle.device, &call.c))
		return STANDIN_BLAS_INVALID;
	return enqueue(function, &handle, &call, run_gemm);
}

/* --- syrk --------------------------------------------------------------------------------------------------------- */

static void run_syrk(struct standin_op *op)
{
	const struct call *c = (const struct call *)op;
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
	char ul = uplo_of(uplo), t = trans_of(trans);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!ul || !t || !alpha || !beta)
		return standin_refuse(STANDIN_BLAS_INVALID, function,
		                      "triangle %d, operation %d, alpha at %p, beta at %p", uplo, trans, alpha, beta);
	struct call call = {.is_double = is_double,
	                    .uplo = ul,
	                    .trans = {t},
	                    .n = n,
	                    .k = k,
	                    .alpha = number(alpha, is_double),
	                    .beta = number(beta, is_double),
	                    .a = matrix(is_double, a, t == 'N' ? n : k, t == 'N' ? k : n, lda, 'F'),
	                    .c = matrix(is_double, c, n, n, ldc, ul)};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "C", handle.device, &call.c))
		return STANDIN_BLAS_INVALID;
	return enqueue(function, &handle, &call, run_syrk);
}

/* --- trsm --------------------------------------------------------------------------------------------------------- */

static void run_trsm(struct standin_op *op)
{
	const struct call *c = (const struct call *)op;
	float alpha = (float)c->alpha;
	standin_reads(&c->a);
	standin_writes(&c->b);
	if (c->is_double)
		dtrsm_(&c->side, &c->uplo, &c->trans[0], &c->diag, &c->m, &c->n, &c->alpha, (double *)c->a.at, &c->a.ld,
		       (double *)c->b.at, &c->b.ld, 1, 1, 1, 1);
	else
		strsm_(&c->side, &c->uplo, &c->trans[0], &c->diag, &c->m, &c->n, &alpha, (float *)c->a.at, &c->a.ld,
		       (float *)c->b.at, &c->b.ld, 1, 1, 1, 1);
}

static int trsm(const char *function, bool is_double, tw__cublas blas, int side, int uplo, int trans, int diag, int m,
                int n, const void *alpha, const void *a, int lda, void *b, int ldb)
{
	struct standin_handle handle;
	char s = side_of(side), ul = uplo_of(uplo), t = trans_of(trans), d = diag_of(diag);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!s || !ul || !t || !d || !alpha)
		return standin_refuse(STANDIN_BLAS_INVALID, function,
		                      "side %d, triangle %d, operation %d, diagonal %d, alpha at %p", side, uplo, trans,
		                      diag, alpha);
	int order = s == 'L' ? m : n;
	struct call call = {.is_double = is_double,
	                    .side = s,
	                    .uplo = ul,
	                    .trans = {t},
	                    .diag = d,
	                    .m = m,
	                    .n = n,
	                    .alpha = number(alpha, is_double),
	                    .a = matrix(is_double, a, order, order, lda, ul),
	                    .b = matrix(is_double, b, m, n, ldb, 'F')};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "B", handle.device, &call.b))
		return STANDIN_BLAS_INVALID;
	return enqueue(function, &handle, &call, run_trsm);
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
	int cublas##p##trsm_v2(tw__cublas blas, int side, int uplo, int trans, int diag, int m, int n,                \
	                       const real *alpha, const real *a, int lda, real *b, int ldb)                           \
	{                                                                                                             \
		return trsm(__func__, is_double, blas, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);         \
	}

EXPORT(S, float, false)
EXPORT(D, double, true)
