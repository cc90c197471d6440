/* Finds the size of a kernel from an entry of StarPU's history, which has a hash of the dimensions and the number of
 * bytes. */
#ifndef TW__STARPU_SHAPE_H
#define TW__STARPU_SHAPE_H

#include <stdint.h>

struct tw__starpu_shape {
	char size[192]; /* size as in kernels.csv; for an unknown shape, StarPU's hash in 8 hexadecimal digits */
	char precision; /* 's' (float), 'd' (double) or 'b' (bytes) */
	int n_data;     /* number of handles; 0: the shape is unknown */
};

/* Searches for a shape with this hash (`footprint`) and these bytes: square tiles; for gemm also products of block rows
 * and columns; for StarPU's stencil kernels, cubes with their borders. `kernel`: the name in Tilewright. `precision`:
 * the one in the model's name; '\0': the name has none. */
void tw__starpu_shape(struct tw__starpu_shape *, const char *kernel, uint64_t bytes, uint32_t footprint,
                      char precision);

#endif
