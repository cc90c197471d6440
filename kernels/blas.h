/* The routines of BLAS and LAPACK that the kernels call. They follow Fortran's conventions: all arguments are
 * addresses. Each character argument has a hidden length after the last argument, which is 1 here (gfortran's
 * convention). Integers have 32 bits. */
#ifndef TW__BLAS_H
#define TW__BLAS_H

#include <stddef.h>

#define TW__PROTOTYPES(p, real)                                                                                        \
	void p##gemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,                \
	              const real *alpha, const real *a, const int *lda, const real *b, const int *ldb,                 \
	              const real *beta, real *c, const int *ldc, size_t, size_t);                                      \
	void p##syrk_(const char *uplo, const char *trans, const int *n, const int *k, const real *alpha,              \
	              const real *a, const int *lda, const real *beta, real *c, const int *ldc, size_t, size_t);       \
	void p##trsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,           \
	              const int *n, const real *alpha, const real *a, const int *lda, real *b, const int *ldb, size_t, \
	              size_t, size_t, size_t);                                                                         \
	void p##trmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,           \
	              const int *n, const real *alpha, const real *a, const int *lda, real *b, const int *ldb, size_t, \
	              size_t, size_t, size_t);                                                                         \
	void p##potrf_(const char *uplo, const int *n, real *a, const int *lda, int *info, size_t);                    \
	void p##geqrt_(const int *m, const int *n, const int *nb, real *a, const int *lda, real *t, const int *ldt,    \
	               real *work, int *info);                                                                         \
	void p##gemqrt_(const char *side, const char *trans, const int *m, const int *n, const int *k, const int *nb,  \
	                const real *v, const int *ldv, const real *t, const int *ldt, real *c, const int *ldc,         \
	                real *work, int *info, size_t, size_t);                                                        \
	void p##tpqrt_(const int *m, const int *n, const int *l, const int *nb, real *a, const int *lda, real *b,      \
	               const int *ldb, real *t, const int *ldt, real *work, int *info);                                \
	void p##tpmqrt_(const char *side, const char *trans, const int *m, const int *n, const int *k, const int *l,   \
	                const int *nb, const real *v, const int *ldv, const real *t, const int *ldt, real *a,          \
	                const int *lda, real *b, const int *ldb, real *work, int *info, size_t, size_t);               \
	void p##lacpy_(const char *uplo, const int *m, const int *n, const real *a, const int *lda, real *b,           \
	               const int *ldb, size_t)

TW__PROTOTYPES(s, float);
TW__PROTOTYPES(d, double);

void openblas_set_num_threads(int n_threads);
int openblas_get_parallel(void);
enum { OPENBLAS_SEQUENTIAL, OPENBLAS_THREAD, OPENBLAS_OPENMP }; /* the values that openblas_get_parallel returns */

#endif
