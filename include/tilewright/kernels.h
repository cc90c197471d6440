/* Real kernels of a workload, for engines that compute: one `const struct tw_kernels` per file in kernels/.
 *
 * A family of kernels runs one workload for real. It provides the initial content of each handle, a function for each
 * kernel, and a check of the results that does not use these functions. Handles have the numbers from the workload's
 * `generate`, and the family relies on their order.
 *
 * Threads. An engine calls `open` once. Afterwards several threads call `fill` and codelets at the same time, on
 * different handles. Codelets keep no state outside their operands and their workspace.
 *
 * Warm-up. Before a run's clock starts, each worker calls each codelet once, with the first task of its kernel. The
 * operands are copies of the initial content, or zeros. The engine ignores the result and the return value, but the
 * call must return.
 *
 * A shared object with families exports a table that ends with NULL:
 *     const struct tw_kernels *const tilewright_kernels[] = {&tw_kernels_cholesky, ..., NULL}; */
#ifndef TILEWRIGHT_KERNELS_H
#define TILEWRIGHT_KERNELS_H

#include <tilewright/graph.h>
#include <tilewright/params.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TW_KERNELS_ABI = 1 };

/* One access of a task. Operands come in the order of the task's accesses in the graph. */
struct tw_operand {
	void *at;       /* first byte; aligned to 64 if the sizes of all handles are multiples of 64 */
	uint64_t bytes; /* as in tw_graph_data */
	/* enum tw_mode. TW_REDUX | TW_W: the accumulator has no content yet, so the kernel sets it. TW_REDUX | TW_RW:
	 * the kernel adds to it. TW_W without TW_R: the old content is undefined. */
	unsigned mode;
};

struct tw_call {
	const void *shape; /* from tw_kernels.open */
	tw_task task;      /* for kernels that draw random numbers */
	uint64_t seed;     /* the run's, for the same kernels */
	int n_operands;
	const struct tw_operand *operands;
	void *workspace;   /* of this thread: workspace_bytes() bytes, aligned to 64, undefined content */
	int part, n_parts; /* this thread computes part `part` of the task; 0 of 1: the whole task */
};

struct tw_codelet {
	const char *kernel; /* name of the kernel in the graph, "potrf" */
	/* Returns 0, or a number such as LAPACK's `info`: then the run fails, and the message shows the number. */
	int (*run)(const struct tw_call *);
	uint64_t (*workspace_bytes)(const void *shape); /* NULL: none */
	/* Several threads can compute parts of one task at the same time. If not, the kernel has no time on groups of
	 * this machine's cores; if a platform file states one, the group's first thread computes the whole task. */
	bool splits;
};

/* All members but shape_bytes are required. */
struct tw_kernels {
	int abi; /* TW_KERNELS_ABI */
	const char *workload;
	const struct tw_codelet *codelets; /* ends with {0} */

	/* `open` stores the workload's parameters in the shape, for which the engine allocates shape_bytes bytes.
	 * Returns TW_INVALID, with the reason, for parameters that the family does not support. */
	size_t shape_bytes;
	int (*open)(void *shape, const struct tw_args *, struct tw_error *err);

	/* Writes the initial content of a handle, which depends on the seed alone. Leaves a handle alone if a task
	 * writes it before any task reads it. */
	void (*fill)(const void *shape, uint64_t seed, tw_data, void *at, uint64_t bytes);

	/* Checks the results without the codelets. at[d]: the final content of handle d, in main memory. Sets
	 * `*residual` to the relative error of the results; 0: they are exact to the bit. Returns TW_NOMEM, or
	 * TW_FAILED, with the error and its limit, if the error is more than rounding explains. */
	int (*check)(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
