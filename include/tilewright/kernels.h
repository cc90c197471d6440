/* Real kernels of a workload, for the engine that computes them: one `const struct tw_kernels` per file in kernels/.
 *
 * A family of kernels runs one workload for real. It provides the initial content of each handle, a function for each
 * kernel, and a check of the results that does not use these functions. Handles have the numbers that the workload's
 * `generate` gives them, and the family relies on these numbers.
 *
 * Threads. An engine calls `open` once. Afterwards several threads call `fill` and codelets at the same time, on
 * different handles. Codelets keep no state outside their operands and their workspace.
 *
 * Warm-up. Before a run's clock starts, each worker calls each codelet once, with the first task of its kernel. The
 * operands are then copies of the initial content, or zeros. The engine ignores the result and the return value, but
 * the call must return.
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

#define TW_KERNELS_ABI TW_ABI(2, struct tw_kernels)

/* The content of one handle that a task accesses. A call has its operands in the order of the task's accesses. */
struct tw_operand {
	void *at;       /* first byte of the content; aligned to 64 bytes if the sizes of all handles are multiples of
	                 * 64 */
	uint64_t bytes; /* size of the handle, as given to tw_graph_data */
	/* Access mode, of enum tw_mode. TW_REDUX | TW_W: the accumulator has no content yet, so the kernel sets it.
	 * TW_REDUX | TW_RW: the kernel adds to the accumulator. TW_W without TW_R: the old content is undefined. */
	unsigned mode;
};

struct tw_call {
	const void *shape; /* the workload's parameters, as tw_kernels.open stored them */
	tw_task task;      /* number of the task, for kernels that draw random numbers */
	uint64_t seed;     /* seed of the run, for kernels that draw random numbers */
	int n_operands;
	const struct tw_operand *operands;
	void *workspace;   /* scratch memory of this thread: workspace_bytes() bytes, aligned to 64 bytes, undefined
	                    * content */
	int part, n_parts; /* this thread computes part `part` of `n_parts` of the task; 0 of 1: the whole task */
};

struct tw_codelet {
	const char *kernel; /* name of the kernel in the graph, such as "potrf" */
	/* Runs the kernel. Returns 0, or a number such as LAPACK's `info`: then the run fails, and the message shows
	 * this number. */
	int (*run)(const struct tw_call *);
	uint64_t (*workspace_bytes)(const void *shape); /* bytes of scratch memory per thread; NULL: the kernel needs
	                                                 * none */
	/* Whether several threads can compute parts of one task at the same time. If not, the platform `machine` has no
	 * time of this kernel for groups of cores. If a platform file states a time, the group's first thread computes
	 * the whole task. */
	bool splits;
};

/* A family of real kernels for one workload. All members but shape_bytes are required. */
struct tw_kernels {
	int abi; /* must be TW_KERNELS_ABI */
	const char *workload;
	const struct tw_codelet *codelets; /* codelets of all kernels of the workload; {0} ends the list */

	/* Stores the workload's parameters in the shape, for which the engine allocates shape_bytes bytes. Returns
	 * TW_INVALID, with the reason in `err`, for parameters that the family does not support. */
	size_t shape_bytes;
	int (*open)(void *shape, const struct tw_args *, struct tw_error *err);

	/* Writes the initial content of a handle, which depends on the seed alone. Leaves the memory as it is if a task
	 * writes the handle before any task reads it. */
	void (*fill)(const void *shape, uint64_t seed, tw_data, void *at, uint64_t bytes);

	/* Checks the results without the codelets. at[d] is the final content of handle d, in main memory. Sets
	 * `*residual` to the relative error of the results; 0: they are exact to the bit. Returns TW_NOMEM if out of
	 * memory. Returns TW_FAILED if the error is larger than rounding explains; `err` then has the error and its
	 * limit. */
	int (*check)(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
