#include "precision.h"

#include <float.h>
#include <string.h>

#include "blas.h"

/* Compiles a function for several vector lengths; the loader selects the one for the processor. */
#if defined(__x86_64__) && defined(__GNUC__)
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTOR_CLONES
#endif

enum { LU_BLOCK = 32, TRSM_BLOCK = 64 };

/* Returns the size of the upper half of a matrix of n rows, n > LU_BLOCK: a multiple of LU_BLOCK. */
static int lu_half(int n) { return (n / 2 + LU_BLOCK - 1) / LU_BLOCK * LU_BLOCK; }

#define REAL float
#define NAME(function) single_##function
#define BLAS(routine) s##routine##_
#include "getrf_body.h"
#include "precision_body.h"
#undef REAL
#undef NAME
#undef BLAS

#define REAL double
#define NAME(function) double_##function
#define BLAS(routine) d##routine##_
#include "getrf_body.h"
#include "precision_body.h"

#define TABLE(name, real, rounding)                                                                           \
	{                                                                                                     \
		.bytes = sizeof(real), .epsilon = (rounding), .gemm = name##_gemm, .syrk = name##_syrk,       \
		.trsm = name##_trsm, .potrf = name##_potrf, .geqrt = name##_geqrt, .gemqrt = name##_gemqrt,   \
		.tpqrt = name##_tpqrt, .tpmqrt = name##_tpmqrt, .lacpy = name##_lacpy, .getrf = name##_getrf, \
		.getrf_bytes = name##_getrf_bytes, .fill = name##_fill, .times = name##_times,                \
		.transposed_times = name##_transposed_times,                                                  \
	}

const struct tw__precision tw__single = TABLE(single, float, FLT_EPSILON);
const struct tw__precision tw__double = TABLE(double, double, DBL_EPSILON);

/* Refuses the serial variant of OpenBLAS, which gives wrong results when several threads call it. */
int tw__precision_open(const struct tw__precision **precision, const struct tw_args *args, struct tw_error *err)
{
	*precision = strcmp(tw_args_text(args, "precision"), "s") == 0 ? &tw__single : &tw__double;
	if (openblas_get_parallel() == OPENBLAS_SEQUENTIAL)
		return tw_fail(err, TW_FAILED,
		               "OpenBLAS is the serial variant: expected the pthread variant (libopenblas0-pthread)");
	openblas_set_num_threads(1);
	return TW_OK;
}
