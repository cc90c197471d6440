/* The tasks that all multifrontal factorisations share. These tasks move memory and do no flops. */
#ifndef TILEWRIGHT_FRONT_TASKS_H
#define TILEWRIGHT_FRONT_TASKS_H

#include "workloads/support/kernel_table.h"
#include "workloads/support/sparse.h"

/* The most handles that one task activates or cleans; larger fronts have several such tasks. */
enum { TW_FRONT_STEP = 32 };

/* The most tasks that a multifrontal workload may have. */
enum { TW_MAX_FRONT_TASKS = 50000000 };

enum tw_front_move {
	TW_ACTIVATE, /* allocates a front and copies the matrix' entries to it */
	TW_ASSEMBLE, /* adds a part of a contribution block to the parent's front */
	TW_CLEAN,    /* copies the factor out of a front and frees the front */
	TW_N_FRONT_MOVES
};

/* The urgency of a task among those of its front, 0 to 3. */
enum tw_front_urgency { TW_FRONT_REST, TW_FRONT_UPDATE, TW_FRONT_SOLVE, TW_FRONT_FACTOR };

struct tw_front_tasks {
	struct tw_graph *graph;
	struct tw_sparse sparse;
	int32_t *place;                 /* [n_columns] workspace for tw_front_places */
	struct tw_kernel_table kernels; /* kernels of the tasks that compute */
	const char *workload, *precision;
	uint64_t element_bytes;
	double bytes_per_s;
	tw_kernel moves[TW_N_FRONT_MOVES]; /* kernels "WORKLOAD.activate" ..., or TW_NONE before their first task */
};

/* Makes the tree of the matrix that the parameters in TW_SPARSE_PARAMS name. Reads also `nb`: the side of full tiles or
 * the width of full block columns. */
int tw_front_tasks_init(struct tw_front_tasks *, struct tw_graph *, const struct tw_args *, const char *workload,
                        enum tw_sparse_kind, struct tw_error *err);
void tw_front_tasks_finish(struct tw_front_tasks *);

/* Call before the first task: fails if there are too many tasks. Call the next function after the last task: it sets
 * the flops and the scope of priorities. */
int tw_front_tasks_begin(const struct tw_front_tasks *, int nb, double tasks, struct tw_error *err);
void tw_front_tasks_end(const struct tw_front_tasks *, double flops);

/* Finds the kernel "WORKLOAD.NAME" of this size, or adds it. It runs only on workers of the given archs (NULL: all). */
tw_kernel tw_front_kernel(struct tw_front_tasks *, const char *name, const char *size, double flops, const char *archs);

/* Returns the priority of a task of a front. Tasks of fronts that are submitted earlier have higher priorities, as in
 * qr_mumps. */
int32_t tw_front_priority(const struct tw_front_tasks *, int32_t front, enum tw_front_urgency);

/* Submits a task that moves `elements` > 0 matrix elements. Its time on a processor follows from the parameter
 * memory_rate. */
tw_task tw_front_move(struct tw_front_tasks *, enum tw_front_move, int32_t front, const struct tw_access *,
                      int n_accesses, double elements);

#endif
