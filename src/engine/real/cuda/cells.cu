/* The CUDA kernels of the workloads stencil and life, as listed in kernels/cells_cuda.h. */
#include "cells_cuda.h"

#define KERNEL(name, argument, body)                                                                        \
	extern "C" __global__ void name(const argument step)                                                \
	{                                                                                                   \
		int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;                                 \
		for (int64_t row = blockIdx.y; x < step.nx && row < step.rows; row += gridDim.y)            \
			body(&step, row, x);                                                                \
	}

TW__CUDA_KERNELS(KERNEL)
