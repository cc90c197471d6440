/* StarPU's history names sizes by a hash of the data's dimensions, and by the bytes of all: what size is that? */
#ifndef TW__STARPU_SHAPE_H
#define TW__STARPU_SHAPE_H

#include <stdint.h>

struct tw__starpu_shape {
	char size[192]; /* as in kernels.csv; without a known shape the hash, in 8 hexadecimal digits */
	char precision; /* 's', 'd', 'b' */
	int n_data;     /* 0: no known shape */
};

/* Square tiles are tried against bytes and hash; for gemm also products of block rows and columns, for the kernels of StarPU's stencil
 * cubes with their borders. `kernel` is our name of it. `precision`: as the model's name tells, or '\0'. */
void tw__starpu_shape(struct tw__starpu_shape *, const char *kernel, uint64_t bytes, uint32_t footprint,
                      char precision);

#endif
