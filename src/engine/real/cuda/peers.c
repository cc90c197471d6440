/* Direct access between the memories of GPUs. */
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
