#include "engine/real/family.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/reduction.h"

/* Fills in the operand of one access. */
static void set_operand(struct tw_operand *operand, const struct tw_graph *g, struct tw_access access, void *const *at)
{
	*operand = (struct tw_operand){
		.at = at[access.data],
		.bytes = tw_graph_data_bytes(g, access.data),
		.mode = access.mode == TW_REDUX ? TW_REDUX | TW_RW : (unsigned)access.mode,
	};
	if (access.mode == TW_SCRATCH)
		operand->at = tw__aligned_room(operand->bytes);
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
	for (int i = 0; i < call.n_operands; i++)
		set_operand(&operands[i], g, tw_graph_access(g, t, i), at);
	int code = tw__family_codelet(family, kernel)->run(&call);
	for (int i = 0; i < call.n_operands; i++)
		if (operands[i].mode == TW_SCRATCH)
			free(operands[i].at);
	return code ? tw_fail(err, TW_FAILED, "task %d: kernel '%.80s' failed: %d", t, tw_graph_kernel_name(g, kernel),
	                      code)
	            : TW_OK;
}

int tw__serial_run(const struct tw_graph *g, const struct tw__family *family, uint64_t seed, void *const *at,
                   void (*before)(void *context, tw_task), void *context, struct tw_error *err)
{
	void *workspace = tw__aligned_room(tw__family_workspace_bytes(family));
	int status = TW_OK;
	for (tw_task t = 0; status == TW_OK && t < tw__graph_own_tasks(g); t++) {
		if (before)
			before(context, t);
		status = tw__serial_task(g, family, seed, at, t, workspace, err);
	}
	free(workspace);
	return status;
}
