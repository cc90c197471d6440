/* The exports of the plug-in. */
#include "blas.h"
#include "families.h"

#define EXPORT __attribute__((visibility("default")))

extern const struct tw_kernels *const tilewright_kernels[];
EXPORT const struct tw_kernels *const tilewright_kernels[] = {
	&tw_kernels_cholesky,  &tw_kernels_life,     &tw_kernels_lu,
	&tw_kernels_matmul2d,  &tw_kernels_matmul3d, &tw_kernels_qr,
	&tw_kernels_reduction, &tw_kernels_stencil,  NULL,
};

/* For tests: where BLAS comes from. */
const void *tilewright_kernels_blas(void);
EXPORT const void *tilewright_kernels_blas(void) { return (const void *)(uintptr_t)dgemm_; }
