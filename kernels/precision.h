/* Functions on matrices: one table for single precision and one for double precision, so that each kernel is written
 * once. Matrices are column-major; `ld` is the distance between columns, in elements. */
#ifndef TW__PRECISION_H
#define TW__PRECISION_H

#include <float.h>

#include <tilewright/kernels.h>

#include "matrix.h"

/* The region of a matrix whose entries count in a product; other entries count as 0. */
enum tw__region {
	TW__FULL,
	TW__LOWER,
	TW__UNIT_LOWER, /* the entries below the diagonal, and ones on the diagonal instead of the stored entries */
	TW__UPPER
};

struct tw__precision {
	int bytes;      /* size of an element, in bytes */
	double epsilon; /* the distance from 1 to the next greater number */

	/* The functions from here to lacpy call the routines of BLAS and LAPACK with these names. */
	void (*gemm)(char transa, char transb, int m, int n, int k, double alpha, const void *a, int lda, const void *b,
	             int ldb, double beta, void *c, int ldc);
	void (*syrk)(int n, int k, double alpha, const void *a, int lda, double beta, void *c, int ldc); /* lower C */
	/* Solves for three cases only: L on the left, not transposed; U on the right, not transposed; L on the right,
	 * transposed. */
	void (*trsm)(char side, char uplo, char trans, char diag, int m, int n, const void *a, int lda, void *b,
	             int ldb);
	int (*potrf)(int n, void *a, int lda);                                                            /* lower A */
	int (*geqrt)(int n, int ib, void *a, void *t, void *work);                                        /* n x n */
	void (*gemqrt)(int m, int n, int ib, const void *v, const void *t, void *c, int ldc, void *work); /* Q^T c */
	/* tpqrt factors a triangle on top of a square (l=0) or of a triangle (l=n). tpmqrt applies Q^T to two tiles. */
	int (*tpqrt)(int n, int l, int ib, void *a, void *b, void *t, void *work);
	void (*tpmqrt)(int m, int n, int l, int ib, const void *v, const void *t, void *a, void *b, void *work);
	void (*lacpy)(int m, int n, const void *a, void *b, int ld);

	/* Factors an n x n matrix, L U without pivoting. Returns 0, or the number, from 1, of the first zero pivot. */
	int (*getrf)(int n, void *a, void *work);
	uint64_t (*getrf_bytes)(int n); /* returns the bytes that getrf needs in `work` */

	/* Writes rows x columns entries of the random matrix to `at`, from entry (row, column) on. */
	void (*fill)(const struct tw__matrix *, int64_t row, int64_t column, int rows, int columns, void *at);

	/* Computes y += A x, or y += A^T x, for checks, in plain loops and double precision. */
	void (*times)(double *y, enum tw__region, int rows, int columns, const void *a, int ld, const double *x);
	void (*transposed_times)(double *y, enum tw__region, int rows, int columns, const void *a, int ld,
	                         const double *x);
};

extern const struct tw__precision tw__single, tw__double;

/* Sets the table of functions by the workload's parameter `precision`, and makes BLAS single-threaded. TW_FAILED:
 * several threads must not call this BLAS at the same time. */
int tw__precision_open(const struct tw__precision **, const struct tw_args *, struct tw_error *err);

/* Returns the greatest residual of an n x n matrix that rounding errors explain. Residuals are relative to the
 * Frobenius norm of the matrix and to the norm of a random vector. Kernels add a random error of a few epsilons to each
 * entry; in the product with a random vector, these errors are smaller by sqrt(n). The errors of the check's own sums,
 * in double precision, are not. Both terms are about ten times the observed values. */
static inline double tw__rounding(const struct tw__precision *p, int64_t n)
{
	return 16 * p->epsilon / sqrt((double)n) + 2 * DBL_EPSILON;
}

/* Returns the address of element i of the array a. */
static inline void *tw__element(const struct tw__precision *p, const void *a, int64_t i)
{
	return (char *)(uintptr_t)a + i * p->bytes;
}

#endif
