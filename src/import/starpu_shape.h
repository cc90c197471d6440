/* StarPU's history names sizes by a hash of the data's dimensions, and by the bytes of all: what size is that? */
#ifndef TW__STARPU_SHAPE_H
#define TW__STARPU_SHAPE_H

#include <stdint.h>

struct tw__starpu_shape {
	char size[192]; /* as in kernels.csv; without a known shape the hash, in 8 hexadecimal digits */
	char precision; /* 's', 'd', 'b' */
	int n_data;     /* 0: no known shape */
};

/* Square tiles, products of block rows and columns, cubes with halos; each is tried against bytes and hash. `precision`: as the
 * kernel's name tells, or '\0'. */
void tw__starpu_shape(struct tw__starpu_shape *, uint64_t bytes, uint32_t footprint, char precision);

#endif
