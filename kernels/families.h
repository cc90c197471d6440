/* The families of this plug-in: one for each workload that has real kernels. */
#ifndef TW__FAMILIES_H
#define TW__FAMILIES_H

#include <tilewright/kernels.h>

extern const struct tw_kernels tw_kernels_cholesky, tw_kernels_life, tw_kernels_lu, tw_kernels_matmul2d,
	tw_kernels_matmul3d, tw_kernels_qr, tw_kernels_reduction, tw_kernels_stencil;

#endif
