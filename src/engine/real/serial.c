#include "engine/real/family.h"

#include "graph/reduction.h"

#include <stdlib.h>

void *tw__aligned_room(uint64_t bytes)
{
	if (bytes > SIZE_MAX - 128)
		return NULL;
	return aligned_alloc(64, (bytes ? bytes + 63 : 64) / 64 * 64);
}

/* Fills in the operand of one access. Returns false if out of memory for scratch. */
static bool set_operand(struct tw_operand *operand, const struct tw_graph *g, struct tw_access access, void *const *at)
{
	*operand = (struct tw_operand){
		.at = at[access.data],
		.bytes = tw_graph_data_bytes(g, access.data),
		.mode = access.mode == TW_REDUX ? TW_REDUX | TW_RW : (unsigned)access.mode,
	};
	if (access.mode == TW_SCRATCH)
		operand->at = tw__aligned_room(operand->bytes);
	return operand->at;
}

int tw__serial_task(const struct tw_graph *g, const struct tw__family *family, uint64_t seed, void *const *at,
                    tw_task t, void *workspace, struct tw_error *err)
{
	struct tw_operand operands[TW_MAX_ACCESSES];
	tw_kernel kernel = tw_graph_task_kernel(g, t);
	struct tw_call call = {
		.shape = tw__family_shape(family),
		.task = t,
		.seed = seed,
		.n_operands = tw_graph_n_accesses(g, t),
		.operands = operands,
		.workspace = workspace,
		.n_parts = 1,
	};
	int n = 0, code = 0;
	while (n < call.n_operands && set_operand(&operands[n], g, tw_graph_access(g, t, n), at))
		n++;
	bool whole = n == call.n_operands;
	if (whole)
		code = tw__family_codelet(family, kernel)->run(&call);
	while (n-- > 0)
		if (operands[n].mode == TW_SCRATCH)
			free(operands[n].at);
	if (!whole)
		return tw_fail(err, TW_NOMEM, "task %d: out of memory for scratch", t);
	return code ? tw_fail(err, TW_FAILED, "task %d: kernel '%.80s' failed: %d", t, tw_graph_kernel_name(g, kernel),
	                      code)
	            : TW_OK;
}

int tw__serial_run(const struct tw_graph *g, const struct tw__family *family, uint64_t seed, void *const *at,
                   void (*before)(void *context, tw_task), void *context, struct tw_error *err)
{
	void *workspace = tw__aligned_room(tw__family_workspace_bytes(family));
	int status = workspace ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory for the workspace of kernels");
	for (tw_task t = 0; status == TW_OK && t < tw__graph_own_tasks(g); t++) {
		if (before)
			before(context, t);
		status = tw__serial_task(g, family, seed, at, t, workspace, err);
	}
	free(workspace);
	return status;
}
