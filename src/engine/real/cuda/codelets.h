/* The kernels that GPUs can run, by workload. Each of the files ends with a table of them. Operands are in the order of
 * the families in kernels/. */
#ifndef TW__CUDA_CODELETS_H
#define TW__CUDA_CODELETS_H

#include "engine/real/cuda/cuda.h"

/* The tables of codelets; {0} ends each. */
extern const struct tw__cuda_codelet tw__cuda_square[]; /* for cholesky, lu, matmul2d and matmul3d: codelets_square.c */
extern const struct tw__cuda_codelet tw__cuda_qr[];     /* for qr: codelets_qr.c */
extern const struct tw__cuda_codelet tw__cuda_cells[];  /* for stencil and life: codelets_cells.c */

#endif
