/* A table of functions for single and one for double precision, so that each kernel is written once. Matrices are
 * column-major; `ld` is the distance between columns, in elements. */
#ifndef TW__PRECISION_H
#define TW__PRECISION_H

#include <float.h>

#include <tilewright/kernels.h>

#include "matrix.h"

/* The entries of a matrix that count in a product. */
enum tw__region {
	TW__FULL,
	TW__LOWER,
	TW__UNIT_LOWER, /* ones on the diagonal, instead of the stored entries */
	TW__UPPER
};

struct tw__precision {
	int bytes;      /* of an element */
	double epsilon; /* the distance from 1 to the next number */

	/* As in BLAS and LAPACK. */
	void (*gemm)(char transa, char transb, int m, int n, int k, double alpha, const void *a, int lda, const void *b,
	             int ldb, double beta, void *c, int ldc);
	void (*syrk)(int n, int k, double alpha, const void *a, int lda, double beta, void *c, int ldc); /* lower */
	/* Only these cases: L on the left, not transposed; U on the right, not transposed; L on the right,
	 * transposed. */
	void (*trsm)(char side, char uplo, char trans, char diag, int m, int n, const void *a, int lda, void *b,
	             int ldb);
	int (*potrf)(int n, void *a, int lda);                                                            /* lower */
	int (*geqrt)(int n, int ib, void *a, void *t, void *work);                                        /* of n x n */
	void (*gemqrt)(int m, int n, int ib, const void *v, const void *t, void *c, int ldc, void *work); /* Q^T C */
	/* A triangle on a square (l=0) or on a triangle (l=n), and the application of Q^T to these. */
	int (*tpqrt)(int n, int l, int ib, void *a, void *b, void *t, void *work);
	void (*tpmqrt)(int m, int n, int l, int ib, const void *v, const void *t, void *a, void *b, void *work);
	void (*lacpy)(int m, int n, const void *a, void *b, int ld);

	/* LU of n x n without pivoting. Returns 0, or the number, from 1, of the first zero pivot. */
	int (*getrf)(int n, void *a, void *work);
	uint64_t (*getrf_bytes)(int n); /* of `work` */

	/* Writes the block of the random matrix that starts at (row, column). */
	void (*fill)(const struct tw__matrix *, int64_t row, int64_t column, int rows, int columns, void *at);

	/* For checks, in plain loops and double precision: y += A x, y += A^T x. */
	void (*times)(double *y, enum tw__region, int rows, int columns, const void *a, int ld, const double *x);
	void (*transposed_times)(double *y, enum tw__region, int rows, int columns, const void *a, int ld,
	                         const double *x);
};

extern const struct tw__precision tw__single, tw__double;

/* Returns the table for the parameter `precision` of a workload, and makes BLAS single-threaded. TW_FAILED: this BLAS
 * must not be called from several threads. */
int tw__precision_open(const struct tw__precision **, const struct tw_args *, struct tw_error *err);

/* The greatest residual that rounding explains, relative to the Frobenius norm of an n x n matrix and to the norm of
 * a random vector. Kernels add a random error of a few epsilons to each entry; a random vector sees these errors
 * reduced by sqrt(n). The check's own sums, in double precision, have errors that are not reduced. Both bounds are
 * about ten times the observed values. */
static inline double tw__rounding(const struct tw__precision *p, int64_t n)
{
	return 16 * p->epsilon / sqrt((double)n) + 2 * DBL_EPSILON;
}

/* The address of an element. */
static inline void *tw__element(const struct tw__precision *p, const void *a, int64_t i)
{
	return (char *)(uintptr_t)a + i * p->bytes;
}

#endif
