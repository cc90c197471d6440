/* StarPU's names of kernels, for all readers of StarPU's files. */
#ifndef READERS_STARPU_NAMES_H
#define READERS_STARPU_NAMES_H

#include <stdbool.h>

/* Finds the kernel of a performance model of StarPU's examples: "gemm" for "starpu_dgemm_gemm". Sets `precision` ("d")
 * if the name of the model contains it. Sets `*is_copy` if the name ends with a library ("_atlas"), because StarPU
 * ships such models as copies of the models without. Returns the rank of the model: among models of one kernel, the
 * lowest is the newest or the most specific. Negative: the model is unknown, and nothing is set. */
int tw_starpu_model(const char *model, const char **kernel, bool *is_copy, char precision[2]);

#endif
