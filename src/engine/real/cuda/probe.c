/* Finds the GPUs that CUDA shows, and measures their links. It runs in a process of its own, because a process that
 * has used CUDA cannot fork. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/real/cuda/cuda.h"

/* Sizes of copies in bytes: large ones measure the bandwidth, small ones the latency. The fastest of N_COPIES
 * counts. */
enum { GREAT_BYTES = 16 << 20, SMALL_BYTES = 4096, N_COPIES = 4 };

/* The GPU that is being examined, and its resources. */
struct probe {
	struct tw__device gpu; /* only the members that calls of CUDA need are set */
	tw__cuda_stream stream;
	tw__cuda_event start, end;
	void *host, *at;
};

static void write_version(char *to, size_t room, int version)
{
	snprintf(to, room, "%d.%d", version / 1000, version % 1000 / 10);
}

/* Makes the first call of CUDA in a process, which fails if the driver is missing or too old. */
int tw__cuda_count(const struct tw__cuda_api *api, int *n, struct tw_error *err)
{
	int error = api->cudaGetDeviceCount(n), driver = 0, runtime = 0;
	if (error == TW__CUDA_SUCCESS && *n > 0)
		return TW_OK;
	if (error == TW__CUDA_SUCCESS || error == TW__CUDA_NO_DEVICE)
		return tw_fail(err, TW_INVALID, "CUDA shows no GPU");
	if (error == TW__CUDA_OLD_DRIVER && api->cudaDriverGetVersion(&driver) == TW__CUDA_SUCCESS &&
	    api->cudaRuntimeGetVersion(&runtime) == TW__CUDA_SUCCESS) {
		char has[16], needs[16];
		write_version(has, sizeof has, driver);
		write_version(needs, sizeof needs, runtime);
		return driver == 0 ? tw_fail(err, TW_INVALID, "NVIDIA's driver is not running")
		                   : tw_fail(err, TW_INVALID,
		                             "NVIDIA's driver supports CUDA %s, and the runtime is CUDA %s: expected a "
		                             "newer "
		                             "driver, or older libraries in $TILEWRIGHT_CUDA",
		                             has, needs);
	}
	return tw_fail(err, TW_INVALID, "cudaGetDeviceCount: error %d: %s", error, api->cudaGetErrorString(error));
}

/* --- links -------------------------------------------------------------------------------------------------------- */

enum way { TO_DEVICE, TO_HOST, TO_PEER };

static bool copy(struct probe *p, enum way way, void *there, int peer, size_t bytes)
{
	struct tw__device *d = &p->gpu;
	if (way == TO_PEER)
		return TW__CUDA(d, cudaMemcpyPeerAsync, there, peer, p->at, d->index, bytes, p->stream);
	return way == TO_DEVICE ? TW__CUDA(d, cudaMemcpyAsync, p->at, p->host, bytes, TW__CUDA_TO_DEVICE, p->stream)
	                        : TW__CUDA(d, cudaMemcpyAsync, p->host, p->at, bytes, TW__CUDA_TO_HOST, p->stream);
}

/* Measures the time of the fastest of N_COPIES copies, in seconds. */
static bool time_copies(struct probe *p, enum way way, void *there, int peer, size_t bytes, double *seconds)
{
	struct tw__device *d = &p->gpu;
	*seconds = 0;
	for (int i = 0; i < N_COPIES; i++) {
		float ms;
		if (!TW__CUDA(d, cudaEventRecord, p->start, p->stream) || !copy(p, way, there, peer, bytes) ||
		    !TW__CUDA(d, cudaEventRecord, p->end, p->stream) ||
		    !TW__CUDA(d, cudaStreamSynchronize, p->stream) ||
		    !TW__CUDA(d, cudaEventElapsedTime, &ms, p->start, p->end))
			return false;
		if (i == 0 || 1e-3 * (double)ms < *seconds)
			*seconds = 1e-3 * (double)ms;
	}
	return true;
}

/* Returns the bandwidth in bytes/s from the times of a large and a small copy, which differ by 1 us at least. */
static double bandwidth(double great_s, double small_s)
{
	double s = great_s - small_s;
	return (GREAT_BYTES - SMALL_BYTES) / (s > 1e-6 ? s : 1e-6);
}

static bool time_host(struct probe *p, struct tw__gpu *gpu)
{
	double great_s[2], small_s[2];
	for (enum way way = TO_DEVICE; way <= TO_HOST; way++)
		if (!time_copies(p, way, NULL, 0, GREAT_BYTES, &great_s[way]) ||
		    !time_copies(p, way, NULL, 0, SMALL_BYTES, &small_s[way]))
			return false;
	gpu->to_device = bandwidth(great_s[TO_DEVICE], small_s[TO_DEVICE]);
	gpu->to_host = bandwidth(great_s[TO_HOST], small_s[TO_HOST]);
	gpu->latency_s = (small_s[TO_DEVICE] + small_s[TO_HOST]) / 2;
	return true;
}

/* Measures copies to another GPU, if both GPUs can access each other directly. Otherwise leaves *to_peer as it is. */
static bool time_peer(struct probe *p, int peer, double *to_peer)
{
	struct tw__device *d = &p->gpu;
	int there = 0, back = 0;
	void *room = NULL;
	double great_s = 0, small_s = 0;
	if (!TW__CUDA(d, cudaDeviceCanAccessPeer, &there, d->index, peer) ||
	    !TW__CUDA(d, cudaDeviceCanAccessPeer, &back, peer, d->index))
		return false;
	if (!there || !back)
		return true;
	bool good = TW__CUDA(d, cudaDeviceEnablePeerAccess, peer, 0) && TW__CUDA(d, cudaSetDevice, peer) &&
	            TW__CUDA(d, cudaMalloc, &room, GREAT_BYTES) && TW__CUDA(d, cudaSetDevice, d->index) &&
	            time_copies(p, TO_PEER, room, peer, GREAT_BYTES, &great_s) &&
	            time_copies(p, TO_PEER, room, peer, SMALL_BYTES, &small_s);
	if (!good) /* a copy may be under way, so keep the memory */
		return false;
	*to_peer = bandwidth(great_s, small_s);
	return TW__CUDA(d, cudaSetDevice, peer) && TW__CUDA(d, cudaFree, room) && TW__CUDA(d, cudaSetDevice, d->index);
}

/* --- GPUs --------------------------------------------------------------------------------------------------------- */

static bool describe(struct probe *p, struct tw__gpu *gpu)
{
	struct tw__device *d = &p->gpu;
	size_t free_bytes = 0, all = 0;
	bool good = TW__CUDA(d, cudaSetDevice, d->index) &&
	            TW__CUDA(d, cudaDeviceGetPCIBusId, gpu->place, sizeof gpu->place, d->index) &&
	            TW__CUDA(d, cudaDeviceGetAttribute, &gpu->major, TW__CUDA_ATTRIBUTE_MAJOR, d->index) &&
	            TW__CUDA(d, cudaDeviceGetAttribute, &gpu->minor, TW__CUDA_ATTRIBUTE_MINOR, d->index) &&
	            TW__CUDA(d, cudaMemGetInfo, &free_bytes, &all) &&
	            TW__CUDA_DRIVER(d, cuDeviceGetName, gpu->name, sizeof gpu->name, d->index);
	gpu->memory_bytes = all;
	gpu->free_bytes = free_bytes;
	return good;
}

static bool probe_open(struct probe *p)
{
	struct tw__device *d = &p->gpu;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (posix_memalign(&p->host, page, GREAT_BYTES))
		return tw__cuda_good(d, "posix_memalign", 2);
	memset(p->host, 0, GREAT_BYTES);
	return TW__CUDA(d, cudaHostRegister, p->host, GREAT_BYTES, TW__CUDA_HOST_REGISTER_PORTABLE) &&
	       TW__CUDA(d, cudaMalloc, &p->at, GREAT_BYTES) &&
	       TW__CUDA(d, cudaStreamCreateWithFlags, &p->stream, TW__CUDA_STREAM_NON_BLOCKING) &&
	       TW__CUDA(d, cudaEventCreateWithFlags, &p->start, TW__CUDA_EVENT_DEFAULT) &&
	       TW__CUDA(d, cudaEventCreateWithFlags, &p->end, TW__CUDA_EVENT_DEFAULT);
}

static bool probe_close(struct probe *p)
{
	struct tw__device *d = &p->gpu;
	bool good = TW__CUDA(d, cudaEventDestroy, p->start) && TW__CUDA(d, cudaEventDestroy, p->end) &&
	            TW__CUDA(d, cudaStreamDestroy, p->stream) && TW__CUDA(d, cudaFree, p->at) &&
	            TW__CUDA(d, cudaHostUnregister, p->host);
	free(p->host);
	return good;
}

/* Examines one GPU. After a failure, the resources of the probe are kept until the process ends. */
static int look_at(struct tw__gpus *gpus, int index, const struct tw__cuda_api *api, struct tw_error *err)
{
	char name[16];
	struct tw__gpu *gpu = &gpus->gpu[index];
	struct probe p = {.gpu = {.api = api, .index = index, .name = name}};
	snprintf(name, sizeof name, "GPU%d", index);
	bool good = describe(&p, gpu) && probe_open(&p) && time_host(&p, gpu);
	for (int peer = 0; peer < gpus->n && good; peer++)
		good = peer == index || time_peer(&p, peer, &gpu->to_peer[peer]);
	good = good && probe_close(&p);
	return good ? TW_OK : tw_fail(err, TW_FAILED, "%s", p.gpu.why);
}

int tw__cuda_detect(struct tw__gpus *gpus, struct tw_error *err)
{
	const struct tw__cuda_api *api;
	int n = 0, status = tw__cuda_load(&api, err);
	if (status == TW_OK)
		status = tw__cuda_count(api, &n, err);
	if (status < 0)
		return status;
	gpus->n = n < TW__MOST_GPUS ? n : TW__MOST_GPUS;
	for (int i = 0; i < gpus->n && status == TW_OK; i++)
		status = look_at(gpus, i, api, err);
	return status;
}
