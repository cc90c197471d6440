/* The kernels that GPUs have, by workload. Each file ends with a table. Operands are in the order of the families in
 * kernels/. */
#ifndef TW__CUDA_CODELETS_H
#define TW__CUDA_CODELETS_H

#include "engine/real/cuda/cuda.h"

/* Tables end with {0}. */
extern const struct tw__cuda_codelet tw__cuda_square[]; /* codelets_square.c: cholesky, lu, matrix products */
extern const struct tw__cuda_codelet tw__cuda_qr[];     /* codelets_qr.c */
extern const struct tw__cuda_codelet tw__cuda_cells[];  /* codelets_cells.c: stencil, life */

#endif
