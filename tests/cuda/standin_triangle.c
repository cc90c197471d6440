/* cuBLAS with triangles: trsm and trmm. */
#include "standin_blas.h"

#include <string.h>

#include "../../kernels/blas.h"

static char side_of(int value) { return standin_letter("LR", 2, value); }
static char diag_of(int value) { return standin_letter("NU", 2, value); }

/* --- trsm --------------------------------------------------------------------------------------------------------- */

static void run_trsm(struct standin_op *op)
{
	const struct standin_call *c = (const struct standin_call *)op;
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
	char s = side_of(side), ul = standin_uplo(uplo), t = standin_trans(trans), d = diag_of(diag);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!s || !ul || !t || !d || !alpha)
		return standin_refuse(STANDIN_BLAS_INVALID, function,
		                      "side %d, triangle %d, operation %d, diagonal %d, alpha at %p", side, uplo, trans,
		                      diag, alpha);
	int order = s == 'L' ? m : n;
	struct standin_call call = {.is_double = is_double,
	                            .side = s,
	                            .uplo = ul,
	                            .trans = {t},
	                            .diag = d,
	                            .m = m,
	                            .n = n,
	                            .alpha = standin_number(alpha, is_double),
	                            .a = standin_matrix(is_double, a, order, order, lda, ul),
	                            .b = standin_matrix(is_double, b, m, n, ldb, 'F')};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "B", handle.device, &call.b))
		return STANDIN_BLAS_INVALID;
	return standin_enqueue_call(function, &handle, &call, run_trsm);
}

/* --- trmm --------------------------------------------------------------------------------------------------------- */

static void copy_columns(const struct standin_matrix *to, const struct standin_matrix *from)
{
	size_t to_bytes = (size_t)to->ld * to->element_bytes, from_bytes = (size_t)from->ld * from->element_bytes;
	for (size_t j = 0; j < (size_t)to->columns && to->rows; j++)
		memcpy(to->at + j * to_bytes, from->at + j * from_bytes, (size_t)to->rows * to->element_bytes);
}

/* OpenBLAS's trmm works in place. */
static void run_trmm(struct standin_op *op)
{
	const struct standin_call *c = (const struct standin_call *)op;
	float alpha = (float)c->alpha;
	if (c->b.at != c->c.at)
		copy_columns(&c->c, &c->b);
	standin_reads(&c->a);
	standin_writes(&c->c);
	if (c->is_double)
		dtrmm_(&c->side, &c->uplo, &c->trans[0], &c->diag, &c->m, &c->n, &c->alpha, (double *)c->a.at, &c->a.ld,
		       (double *)c->c.at, &c->c.ld, 1, 1, 1, 1);
	else
		strmm_(&c->side, &c->uplo, &c->trans[0], &c->diag, &c->m, &c->n, &alpha, (float *)c->a.at, &c->a.ld,
		       (float *)c->c.at, &c->c.ld, 1, 1, 1, 1);
}

static int trmm(const char *function, bool is_double, tw__cublas blas, int side, int uplo, int trans, int diag, int m,
                int n, const void *alpha, const void *a, int lda, const void *b, int ldb, void *c, int ldc)
{
	struct standin_handle handle;
	char s = side_of(side), ul = standin_uplo(uplo), t = standin_trans(trans), d = diag_of(diag);
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	if (!standin_use(function, STANDIN_BLAS, blas, &handle))
		return STANDIN_BLAS_EXECUTION;
	if (!s || !ul || !t || !d || !alpha)
		return standin_refuse(STANDIN_BLAS_INVALID, function,
		                      "side %d, triangle %d, operation %d, diagonal %d, alpha at %p", side, uplo, trans,
		                      diag, alpha);
	int order = s == 'L' ? m : n;
	struct standin_call call = {.is_double = is_double,
	                            .side = s,
	                            .uplo = ul,
	                            .trans = {t},
	                            .diag = d,
	                            .m = m,
	                            .n = n,
	                            .alpha = standin_number(alpha, is_double),
	                            .a = standin_matrix(is_double, a, order, order, lda, ul),
	                            .b = standin_matrix(is_double, b, m, n, ldb, 'F'),
	                            .c = standin_matrix(is_double, c, m, n, ldc, 'F')};
	if (!standin_matrix_is_good(function, "A", handle.device, &call.a) ||
	    !standin_matrix_is_good(function, "B", handle.device, &call.b) ||
	    !standin_matrix_is_good(function, "C", handle.device, &call.c) ||
	    !standin_is_apart(function, "A", &call.a, &call.c))
		return STANDIN_BLAS_INVALID;
	if (!standin_is_in_place(&call.b, 'N', &call.c) && !standin_is_apart(function, "B", &call.b, &call.c))
		return STANDIN_BLAS_INVALID;
	return standin_enqueue_call(function, &handle, &call, run_trmm);
}

/* --- in both precisions ------------------------------------------------------------------------------------------- */

#define EXPORT(p, real, is_double)                                                                                    \
	int cublas##p##trsm_v2(tw__cublas blas, int side, int uplo, int trans, int diag, int m, int n,                \
	                       const real *alpha, const real *a, int lda, real *b, int ldb)                           \
	{                                                                                                             \
		return trsm(__func__, is_double, blas, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);         \
	}                                                                                                             \
	int cublas##p##trmm_v2(tw__cublas blas, int side, int uplo, int trans, int diag, int m, int n,                \
	                       const real *alpha, const real *a, int lda, const real *b, int ldb, real *c, int ldc)   \
	{                                                                                                             \
		return trmm(__func__, is_double, blas, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, c, ldc); \
	}

EXPORT(S, float, false)
EXPORT(D, double, true)
