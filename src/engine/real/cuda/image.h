/* The project's own CUDA kernels, compiled by nvcc into the file tilewright-cuda.fatbin. The file is loaded from
 * $TILEWRIGHT_CUDA or from the plug-in's folder. Builds without nvcc lack the file; workloads that need it then have no
 * kernels on GPUs. */
#ifndef TW__CUDA_IMAGE_H
#define TW__CUDA_IMAGE_H

#include <stdbool.h>

#include "cells_cuda.h"

#define TW__IMAGE_KERNEL(name, argument, body) TW__IMAGE_##name,
enum tw__image_kernel { TW__CUDA_KERNELS(TW__IMAGE_KERNEL) TW__N_IMAGE_KERNELS };
#undef TW__IMAGE_KERNEL

struct tw__device;

/* Whether the file with the kernels can be read. */
bool tw__image_is_there(void);
/* Loads the kernels on the current GPU. Returns false if a call has failed. */
bool tw__image_open(struct tw__device *);
void tw__image_close(struct tw__device *);

#endif
