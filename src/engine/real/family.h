/* The family of real kernels of one workload, from a plug-in: see tilewright/kernels.h. */
#ifndef TW__FAMILY_H
#define TW__FAMILY_H

#include <tilewright/kernels.h>

struct tw__family {
	void *library;
	const struct tw_kernels *kernels;
	void *shape;
	uint64_t workspace_bytes;           /* the greatest workspace of the graph's kernels */
	const struct tw_codelet **codelets; /* [kernels of the graph] codelet of each kernel */
};

/* Loads the plug-in of kernels ($TILEWRIGHT_KERNELS if set), and opens the workload's family for one of its graphs.
 * `workload` is only the name, as in "cholesky"; `args` are its parameters, which need not outlive the call. TW_FAILED:
 * there is no plug-in. TW_INVALID: it has no kernels for this workload or these parameters. */
int tw__family_open(struct tw__family **, const char *workload, const struct tw_args *args, const struct tw_graph *,
                    struct tw_error *err);
void tw__family_close(struct tw__family *);

/* Returns the call of a task's kernel on one core. */
static inline struct tw_call tw__family_call(const struct tw__family *f, uint64_t seed, tw_task t, void *workspace,
                                             const struct tw_operand *operands, int n_operands)
{
	return (struct tw_call){
		.shape = f->shape,
		.task = t,
		.seed = seed,
		.n_operands = n_operands,
		.operands = operands,
		.workspace = workspace,
		.n_parts = 1,
	};
}

/* Makes a serial run, which gives the reference results: runs all tasks of the graph one after the other, in the order
 * of submission, in the calling thread. Calls `before`, if not NULL, before each task. at[d] is the content of handle
 * d: already filled, aligned to 64 bytes. It is NULL for scratch, which is allocated while its task runs. Reductions
 * add to the handle itself. Returns TW_FAILED if a kernel failed. */
int tw__serial_run(const struct tw_graph *, const struct tw__family *, uint64_t seed, void *const *at,
                   void (*before)(void *context, tw_task), void *context, struct tw_error *err);

#endif
