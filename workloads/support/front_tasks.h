/* The tasks of a multifrontal factorisation that are the same whatever is factorised: those that move memory. */
#ifndef TILEWRIGHT_FRONT_TASKS_H
#define TILEWRIGHT_FRONT_TASKS_H

#include "workloads/support/kernel_table.h"
#include "workloads/support/sparse.h"

/* Data that one task activates or cleans: more make more tasks. */
enum { TW_FRONT_STEP = 32 };

/* That a workload makes. */
enum { TW_MAX_FRONT_TASKS = 50000000 };

enum tw_front_move {
	TW_ACTIVATE, /* allocates a front's memory and puts the matrix' entries there */
	TW_ASSEMBLE, /* brings a part of a contribution block into the parent's front */
	TW_CLEAN,    /* stores a factor apart and frees its front */
	TW_N_FRONT_MOVES
};

/* How urgent a task is beside others of its front, 0 to 3. */
enum tw_front_urgency { TW_FRONT_REST, TW_FRONT_UPDATE, TW_FRONT_SOLVE, TW_FRONT_FACTOR };

struct tw_front_tasks {
	struct tw_graph *graph;
	struct tw_kernel_table kernels; /* of what computes */
	const char *workload, *precision;
	uint64_t element_bytes;
	double bytes_per_s;
	int32_t n_fronts;
	tw_kernel moves[TW_N_FRONT_MOVES]; /* "WORKLOAD.activate" ..., once there is a task of it */
};

/* From the parameters TW_SPARSE_PARAMS, and nb, the side of full tiles or the width of full block columns. */
int tw_front_tasks_init(struct tw_front_tasks *, struct tw_graph *, const struct tw_args *, const char *workload,
                        int32_t n_fronts, struct tw_error *err);
void tw_front_tasks_finish(struct tw_front_tasks *);

/* Before the first task: are there not too many? After the last: the graph's flops, and who sees the priorities. */
int tw_front_tasks_begin(const struct tw_front_tasks *, int nb, double tasks, struct tw_error *err);
int tw_front_tasks_end(const struct tw_front_tasks *, double flops, struct tw_error *err);

/* The kernel "WORKLOAD.NAME" of that size, on workers of those archs (NULL: all). */
tw_kernel tw_front_kernel(struct tw_front_tasks *, const char *name, const char *size, double flops, const char *archs);

/* The earlier a front is submitted, the more urgent it is, as in qr_mumps. */
int32_t tw_front_priority(const struct tw_front_tasks *, int32_t front, enum tw_front_urgency);

/* A task that moves `elements` > 0, which takes a processor the time the parameter memory_rate says. */
tw_task tw_front_move(struct tw_front_tasks *, enum tw_front_move, int32_t front, const struct tw_access *,
                      int n_accesses, double elements);

#endif
