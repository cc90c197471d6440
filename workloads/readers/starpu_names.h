/* What StarPU calls the kernels that we have names for: a help for all that reads its files. */
#ifndef READERS_STARPU_NAMES_H
#define READERS_STARPU_NAMES_H

#include <stdbool.h>

/* What kernel a performance model of StarPU's examples times: "gemm" for "starpu_dgemm_gemm", with "d" put into `precision`,
 * which stays as it was if the model's name does not tell. `*is_copy`: the name ends with that of a library ("_atlas"); StarPU
 * ships such models as copies of those without. Returns the model's place among those known: where two time the same, the
 * first is the newer, or the one of the more particular application. Negative: not known, and nothing is set. */
int tw_starpu_model(const char *model, const char **kernel, bool *is_copy, char precision[2]);

#endif
