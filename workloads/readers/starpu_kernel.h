/* Maps StarPU's codelets and sizes to our names and sizes of kernels, so that tasks find the kernel times of a
 * platform. */
#ifndef TW__STARPU_KERNEL_H
#define TW__STARPU_KERNEL_H

#include <stddef.h>

struct tw__starpu_kernel {
	char name[256], size[192], precision[8]; /* of our kernel; a name that is too long is cut off */
};

/* Finds our kernel for a task of StarPU, which the arguments describe:
 *     model, name   of the codelet, or NULL
 *     parameters    a word such as "M960x960x4" for each of the n_data operands that are not scratch, or NULL
 *     bytes         the sizes of these operands
 *     n_distinct    the number of different handles among them
 *     footprint     StarPU's hash of the sizes, in hexadecimal, or NULL */
void tw__starpu_kernel(struct tw__starpu_kernel *, const char *model, const char *name, const char *const *parameters,
                       const unsigned long long *bytes, int n_data, int n_distinct, const char *footprint);

#endif
