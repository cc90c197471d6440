/* cuSOLVER: potrf uses OpenBLAS; getrf without pivoting is a plain loop. */
#include "standin.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernels/blas.h"

struct call {
	struct standin_op op;
	bool is_double;
	char uplo;
	struct standin_matrix a;
	void *work;
	size_t work_bytes;
	int *info; /* on the device */
};

static size_t element_bytes(bool is_double) { return is_double ? sizeof(double) : sizeof(float); }

/* The workspace is overwritten with NaN, because cuSOLVER does not preserve it either. */
static void spoil_workspace(const struct call *c) { memset(c->work, 0xff, c->work_bytes); }

static bool is_good(const char *function, int device, const struct call *c)
{
	return standin_matrix_is_good(function, "A", device, &c->a) &&
	       standin_on_device(function, "workspace", device, c->work, c->work_bytes) &&
	       standin_on_device(function, "info", device, c->info, sizeof(int));
}

static int enqueue(const char *function, const struct standin_handle *handle, const struct call *words,
                   void (*run)(struct standin_op *))
{
	struct call *call = malloc(sizeof *call);
	if (!call)
		return STANDIN_SOLVER_NO_MEMORY;
	*call = *words;
	call->op = (struct standin_op){.run = run, .least_s = standin_kernel_s(function), .kind = STANDIN_KERNEL};
	standin_launch();
	if (!standin_enqueue(function, handle->stream, &call->op))
		return STANDIN_SOLVER_INVALID;
	standin_block(function);
	return 0;
}

/* --- potrf -------------------------------------------------------------------------------------------------------- */

/* -1: too many for an int. */
static int potrf_elements(int n) { return n >= 0 && (long)n * n <= INT_MAX ? n * n : -1; }

static int potrf_size(const char *function, tw__cusolver solver, int uplo, int n, int lda, int *elements)
{
	struct standin_handle handle;
	if (standin_fails())
		return STANDIN_SOLVER_INTERNAL;
	if (!standin_use(function, STANDIN_SOLVERS, solver, &handle))
		return STANDIN_SOLVER_EXECUTION;
	if (uplo < 0 || uplo > 1 || lda < n || lda < 1 || potrf_elements(n) < 0)
		return standin_refuse(STANDIN_SOLVER_INVALID, function, "triangle %d, order %d, leading dimension %d",
		                      uplo, n, lda);
	*elements = potrf_elements(n);
	return 0;
}

static void run_potrf(struct standin_op *op)
{
	const struct call *c = (const struct call *)op;
	int info = 0;
	spoil_workspace(c);
	standin_writes(&c->a);
	if (c->is_double)
		dpotrf_(&c->uplo, &c->a.rows, (double *)c->a.at, &c->a.ld, &info, 1);
	else
		spotrf_(&c->uplo, &c->a.rows, (float *)c->a.at, &c->a.ld, &info, 1);
	*c->info = info;
}

static int potrf(const char *function, bool is_double, tw__cusolver solver, int uplo, int n, void *a, int lda,
                 void *work, int elements, int *info)
{
	struct standin_handle handle;
	if (standin_fails())
		return STANDIN_SOLVER_INTERNAL;
	if (!standin_use(function, STANDIN_SOLVERS, solver, &handle))
		return STANDIN_SOLVER_EXECUTION;
	if (uplo < 0 || uplo > 1 || potrf_elements(n) < 0 || elements < potrf_elements(n))
		return standin_refuse(STANDIN_SOLVER_INVALID, function, "triangle %d, order %d, workspace of %d", uplo,
		                      n, elements);
	struct call call = {.is_double = is_double,
	                    .uplo = "LU"[uplo],
	                    .a = {a, element_bytes(is_double), n, n, lda, "LU"[uplo]},
	                    .work = work,
	                    .work_bytes = (size_t)elements * element_bytes(is_double),
	                    .info = info};
	return is_good(function, handle.device, &call) ? enqueue(function, &handle, &call, run_potrf)
	                                               : STANDIN_SOLVER_INVALID;
}

/* --- getrf -------------------------------------------------------------------------------------------------------- */

static int getrf_size(const char *function, tw__cusolver solver, int m, int n, int lda, int *elements)
{
	struct standin_handle handle;
	if (standin_fails())
		return STANDIN_SOLVER_INTERNAL;
	if (!standin_use(function, STANDIN_SOLVERS, solver, &handle))
		return STANDIN_SOLVER_EXECUTION;
	if (m < 0 || n < 0 || lda < m || lda < 1)
		return standin_refuse(STANDIN_SOLVER_INVALID, function, "%d rows, %d columns, leading dimension %d", m,
		                      n, lda);
	*elements = n;
	return 0;
}

/* Right-looking; info is the number, from 1, of the first zero pivot, as in LAPACK. */
#define FACTOR(name, real)                                                                                          \
	static int name(int m, int n, real *a, size_t ld)                                                           \
	{                                                                                                           \
		int info = 0;                                                                                       \
		for (int k = 0; k < m && k < n; k++) {                                                              \
			real *pivots = a + (size_t)k * ld, pivot = pivots[k];                                       \
			if (pivot == 0 && !info)                                                                    \
				info = k + 1;                                                                       \
			for (int i = k + 1; i < m && pivot != 0; i++)                                               \
				pivots[i] /= pivot;                                                                 \
			for (int j = k + 1; j < n; j++)                                                             \
				for (int i = k + 1; i < m; i++)                                                     \
					a[(size_t)j * ld + (size_t)i] -= pivots[i] * a[(size_t)j * ld + (size_t)k]; \
		}                                                                                                   \
		return info;                                                                                        \
	}
FACTOR(factor_float, float)
FACTOR(factor_double, double)

static void run_getrf(struct standin_op *op)
{
	const struct call *c = (const struct call *)op;
	int m = c->a.rows, n = c->a.columns;
	size_t ld = (size_t)c->a.ld;
	spoil_workspace(c);
	*c->info = c->is_double ? factor_double(m, n, (double *)c->a.at, ld) : factor_float(m, n, (float *)c->a.at, ld);
}

static int getrf(const char *function, bool is_double, tw__cusolver solver, int m, int n, void *a, int lda, void *work,
                 const int *pivots, int *info)
{
	struct standin_handle handle;
	if (standin_fails())
		return STANDIN_SOLVER_INTERNAL;
	if (!standin_use(function, STANDIN_SOLVERS, solver, &handle))
		return STANDIN_SOLVER_EXECUTION;
	if (pivots)
		return standin_refuse(STANDIN_SOLVER_NOT_SUPPORTED, function, "with pivots is not supported");
	struct call call = {.is_double = is_double,
	                    .a = {a, element_bytes(is_double), m, n, lda, 'F'},
	                    .work = work,
	                    .work_bytes = n > 0 ? (size_t)n * element_bytes(is_double) : 0,
	                    .info = info};
	return is_good(function, handle.device, &call) ? enqueue(function, &handle, &call, run_getrf)
	                                               : STANDIN_SOLVER_INVALID;
}

/* --- in both precisions ------------------------------------------------------------------------------------------- */

#define EXPORT(p, real, is_double)                                                                                 \
	int cusolverDn##p##potrf_bufferSize(tw__cusolver solver, int uplo, int n, real *a, int lda, int *elements) \
	{                                                                                                          \
		(void)a;                                                                                           \
		return potrf_size(__func__, solver, uplo, n, lda, elements);                                       \
	}                                                                                                          \
	int cusolverDn##p##potrf(tw__cusolver solver, int uplo, int n, real *a, int lda, real *work, int elements, \
	                         int *info)                                                                        \
	{                                                                                                          \
		return potrf(__func__, is_double, solver, uplo, n, a, lda, work, elements, info);                  \
	}                                                                                                          \
	int cusolverDn##p##getrf_bufferSize(tw__cusolver solver, int m, int n, real *a, int lda, int *elements)    \
	{                                                                                                          \
		(void)a;                                                                                           \
		return getrf_size(__func__, solver, m, n, lda, elements);                                          \
	}                                                                                                          \
	int cusolverDn##p##getrf(tw__cusolver solver, int m, int n, real *a, int lda, real *work, int *pivots,     \
	                         int *info)                                                                        \
	{                                                                                                          \
		return getrf(__func__, is_double, solver, m, n, a, lda, work, pivots, info);                       \
	}

EXPORT(S, float, false)
EXPORT(D, double, true)
