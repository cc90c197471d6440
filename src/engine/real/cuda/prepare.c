/* Before a run: GPUs get access to each other's memory, and each kernel runs once. */
#include <stdlib.h>

#include "engine/real/cuda/cuda.h"

/* Lets GPU `from` access the memory of GPU `to`. Where this is impossible, CUDA itself copies through main memory. */
static bool enable_peer(struct tw__device *d, const struct tw__device *from, const struct tw__device *to)
{
	int can = 0, error;
	if (!TW__CUDA(d, cudaDeviceCanAccessPeer, &can, from->index, to->index))
		return false;
	if (!can)
		return true;
	if (!TW__CUDA(d, cudaSetDevice, from->index))
		return false;
	error = d->api->cudaDeviceEnablePeerAccess(to->index, 0);
	return error == TW__CUDA_PEER_ALREADY_ENABLED || tw__cuda_good(d, "cudaDeviceEnablePeerAccess", error);
}

bool tw__cuda_enable_peers(struct tw__device *d)
{
	bool is_good = true;
	for (tw_node n = 0; n < d->engine->platform->n_nodes && is_good; n++) {
		const struct tw__device *other = d->engine->devices[n];
		if (other)
			is_good = enable_peer(d, other, d) && enable_peer(d, d, other);
	}
	return is_good && TW__CUDA(d, cudaSetDevice, d->index);
}

/* --- the warm-up -------------------------------------------------------------------------------------------------- */

/* Before a run, each kernel runs once on zeros. CUDA's libraries load their code on first use, which takes longer than
 * many kernels. */

enum { ALIGNMENT = 256 };

/* Places the operands of a task one after the other from the start of the arena. Returns the bytes that they need. */
static uint64_t place(struct tw__cuda_call *call, tw_task t, struct tw_operand *operands)
{
	const struct tw_graph *g = call->device->engine->graph;
	uint64_t bytes = 0;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		tw_data data = tw__access_data(g->access[a]);
		operands[call->n_operands++] = (struct tw_operand){call->device->arena + bytes, g->data_bytes[data],
		                                                   tw__access_mode(g->access[a])};
		bytes += (g->data_bytes[data] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}
	return bytes;
}

/* Runs the kernel of a task on zeros. The result that the kernel writes to `info` is ignored. */
static bool run(struct tw__device *d, const struct tw__cuda_codelet *codelet, tw_task t, uint64_t arena_bytes,
                struct tw_operand *operands)
{
	struct tw__cuda_call call = {.device = d,
	                             .codelet = codelet,
	                             .shape = d->engine->family->shape,
	                             .operands = operands,
	                             .work = d->work,
	                             .info = d->info};
	uint64_t bytes = place(&call, t, operands);
	if (bytes > arena_bytes) /* only the rounding of sizes makes the operands too large: skip this kernel */
		return true;
	return TW__CUDA(d, cudaMemsetAsync, d->arena, 0, bytes, d->streams[TW__LANE_KERNELS].cuda) &&
	       codelet->run(&call);
}

bool tw__cuda_warm_up(struct tw__device *d, uint64_t arena_bytes)
{
	const struct tw_graph *g = d->engine->graph;
	bool good = true, *is_warm = tw_alloc((size_t)g->n_kernels, sizeof *is_warm);
	struct tw_operand *operands = tw_alloc((size_t)tw_graph_most_accesses(g), sizeof *operands);
	for (tw_task t = 0; t < g->n_tasks && good; t++) {
		tw_kernel k = g->kernel[t];
		if (d->codelets[k] && !is_warm[k])
			good = run(d, d->codelets[k], t, arena_bytes, operands);
		is_warm[k] = true;
	}
	free(is_warm);
	free(operands);
	return good && TW__CUDA(d, cudaMemsetAsync, d->info, 0, TW__MOST_INFOS * sizeof(int),
	                        d->streams[TW__LANE_KERNELS].cuda);
}
