/* StarPU's names of kernels and jobs, for all readers of StarPU's files. Kernels get our names and sizes, so that tasks
 * find the kernel times of a platform. */
#ifndef READERS_STARPU_NAMES_H
#define READERS_STARPU_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the kernel of a performance model of StarPU's examples: "gemm" for "starpu_dgemm_gemm". Sets `precision` ("d")
 * if the name of the model contains it. Sets `*is_copy` if the name ends with a library ("_atlas"), because StarPU
 * ships such models as copies of the models without. Returns the rank of the model: among models of one kernel, the
 * lowest is the newest or the most specific. Negative: the model is unknown, and nothing is set. */
int tw_starpu_model(const char *model, const char **kernel, bool *is_copy, char precision[2]);

/* Returns the MPI rank that stands before the name of a job or worker: 1 for "1_33" and "1_CPU0"; -1: none. */
int32_t tw_starpu_rank(const char *name);

/* Returns the name of a job in the whole trace: the rank, "_", and the JobId. JobIds are unique within an MPI rank
 * only. StarPU writes the rank before the ids of tasks, but not before those of controls. `rank`: negative: without
 * MPI, and the name is the id. The name is `id` itself or in `room`, [bytes]; NULL: the id is too long. */
const char *tw_starpu_job_name(const char *id, int32_t rank, char *room, size_t bytes);

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
