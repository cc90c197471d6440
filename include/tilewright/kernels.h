/* Real kernels of a workload, for engines that compute: one `const struct tw_kernels` per file in kernels/.
 *
 * A family holds what it takes to run a workload for real: the initial content of each data handle, a function for each
 * kernel, and a check of the results that does not use these functions. Data handles have the numbers that the workload's
 * `generate` gave them; a family knows that order.
 *
 * Threads. An engine calls `open` once. Afterwards it calls `fill` and codelets from several
 * threads at a time, on different data handles. Codelets keep no state outside their operands and their workspace.
 * Before the clock of a run starts, each worker calls each codelet once, with the first task of its kernel, on copies of the operands that
 * hold their initial content (zeros where they have none): the result and the return value do not count, but the call must return.
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
	void *at;       /* first byte; aligned to 64 bytes if the bytes of all data handles are multiples of 64 */
	uint64_t bytes; /* as in tw_graph_data */
	/* enum tw_mode. TW_REDUX | TW_W: the accumulator has no content yet, so the kernel sets it. TW_REDUX | TW_RW: the
	 * kernel adds to it. TW_W without TW_R: the old content is undefined. */
	unsigned mode;
};

struct tw_call {
	const void *shape; /* from tw_kernels.open */
	tw_task task;      /* for kernels that draw random numbers */
	uint64_t seed;     /* of the run, same */
	int n_operands;
	const struct tw_operand *operands;
	void *workspace; /* this thread's own: codelet->workspace_bytes bytes, aligned to 64; the content is undefined */
	int part, n_parts; /* this thread computes that part of the task; 0 of 1: all of it */
};

struct tw_codelet {
	const char *kernel; /* name of the kernel in the graph, "potrf" */
	/* Returns 0, or a number that messages show, such as LAPACK's `info`; then the run fails. */
	int (*run)(const struct tw_call *);
	uint64_t (*workspace_bytes)(const void *shape); /* NULL: none */
	/* Whether several threads can each compute a part at the same time. Without it the kernel has no time on groups of
	 * this machine's cores; where a platform's file has one, the group's first thread computes all of it. */
	bool splits;
};

/* All members but shape_bytes are required. */
struct tw_kernels {
	int abi; /* TW_KERNELS_ABI */
	const char *workload;
	const struct tw_codelet *codelets; /* ends with {0} */

	/* What the family keeps of the workload's parameters: so many bytes, which the engine allocates, and `open` fills.
	 * TW_INVALID, with the reason, for parameters that have no kernels. */
	size_t shape_bytes;
	int (*open)(void *shape, const struct tw_args *, struct tw_error *err);

	/* Writes the initial content of a data handle, the same for the same seed. Handles that a task writes before any
	 * task reads them are left as they are. */
	void (*fill)(const void *shape, uint64_t seed, tw_data, void *at, uint64_t bytes);

	/* Checks the results by means of its own, not with the codelets. `at[d]`: the final content of handle d of the
	 * graph, in main memory. `*residual`: how far the results are from the exact ones, relative to them; 0 if they are the
	 * same to the bit. TW_FAILED, with both numbers, where that is more than rounding explains. TW_NOMEM. */
	int (*check)(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
