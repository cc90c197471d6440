/* What StarPU's codelets and sizes are in our words, so that tasks find the kernel times of a platform. */
#ifndef TW__STARPU_KERNEL_H
#define TW__STARPU_KERNEL_H

#include <stddef.h>

struct tw__starpu_kernel {
	char name[256], size[192], precision[8]; /* a longer name is cut */
};

/* model, name: of the codelet; NULL: not told. parameters: what StarPU says of the n_data data that are no scratch, one word
 * each ("M960x960x4"), NULL where it says nothing. bytes: of these data. n_distinct: how many different data they are.
 * footprint: StarPU's hash of the sizes, in hexadecimal; NULL: not told. */
void tw__starpu_kernel(struct tw__starpu_kernel *, const char *model, const char *name, const char *const *parameters,
                       const unsigned long long *bytes, int n_data, int n_distinct, const char *footprint);

#endif
