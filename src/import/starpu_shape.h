/* Finds the size behind an entry of StarPU's history, which has a hash of the dimensions and the number of bytes. */
#ifndef TW__STARPU_SHAPE_H
#define TW__STARPU_SHAPE_H

#include <stdint.h>

struct tw__starpu_shape {
	char size[192]; /* as in kernels.csv; for an unknown shape the hash, in 8 hexadecimal digits */
	char precision; /* 's', 'd', 'b' */
	int n_data;     /* 0: unknown shape */
};

/* Searches for a shape with that hash and those bytes: square tiles; for gemm also products of block rows and columns;
 * for StarPU's stencil kernels cubes with their borders. `kernel`: our name. `precision`: from the model's name, or
 * '\0'. */
void tw__starpu_shape(struct tw__starpu_shape *, const char *kernel, uint64_t bytes, uint32_t footprint,
                      char precision);

#endif
