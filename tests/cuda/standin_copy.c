/* Copies and memsets. */
#include "standin.h"

#include <stdlib.h>
#include <string.h>

struct copy {
	struct standin_op op;
	void *to;
	const void *from;
	size_t bytes;
	int value; /* of a memset */
};

static void run_copy(struct standin_op *op)
{
	const struct copy *copy = (const struct copy *)op;
	memcpy(copy->to, copy->from, copy->bytes);
}

static void run_set(struct standin_op *op)
{
	const struct copy *copy = (const struct copy *)op;
	memset(copy->to, copy->value, copy->bytes);
}

/* The NUMA node that memory is bound to, if the library that knows it is preloaded. */
int __attribute__((weak)) nodes_of(const void *at);

static bool is_far(int device, const void *host)
{
	const int node = nodes_of ? nodes_of(host) : -1;
	return node >= 0 && node != device;
}

static int enqueue(const char *function, tw__cuda_stream stream, const struct copy *words)
{
	double bandwidth = standin_settings()->bandwidth;
	struct copy *copy = malloc(sizeof *copy);
	if (!copy)
		return STANDIN_NO_MEMORY;
	*copy = *words;
	const bool far = is_far(standin_device_of(function, stream), copy->from) ||
	                 is_far(standin_device_of(function, stream), copy->to);
	const double longer =
		1 + standin_settings()->copy_growth * (standin_n_driven() - 1) + far * standin_settings()->far;
	copy->op.least_s = copy->from && bandwidth > 0 ? longer * (double)copy->bytes / bandwidth : 0;
	copy->op.kind = copy->from ? STANDIN_COPY : STANDIN_OTHER;
	return standin_enqueue(function, stream, &copy->op) ? 0 : STANDIN_INVALID_HANDLE;
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int device = standin_device_of(__func__, stream);
	if (device < 0)
		return STANDIN_INVALID_HANDLE;
	if (kind != TW__CUDA_TO_DEVICE && kind != TW__CUDA_TO_HOST && kind != TW__CUDA_ON_DEVICE)
		return standin_refuse(STANDIN_INVALID_KIND, __func__, "the kind is %d: expected 1, 2 or 3", kind);
	if (!(kind == TW__CUDA_TO_HOST ? standin_on_host(__func__, "target", to, bytes)
	                               : standin_on_device(__func__, "target", device, to, bytes)) ||
	    !(kind == TW__CUDA_TO_DEVICE ? standin_on_host(__func__, "source", from, bytes)
	                                 : standin_on_device(__func__, "source", device, from, bytes)))
		return STANDIN_INVALID_VALUE;
	if (!bytes)
		return 0;
	return enqueue(__func__, stream, &(struct copy){{.run = run_copy}, to, from, bytes, 0});
}

int cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                        tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (standin_device_of(__func__, stream) < 0)
		return STANDIN_INVALID_HANDLE;
	if (!standin_on_device(__func__, "target", to_device, to, bytes) ||
	    !standin_on_device(__func__, "source", from_device, from, bytes))
		return STANDIN_INVALID_VALUE;
	if (!bytes)
		return 0;
	return enqueue(__func__, stream, &(struct copy){{.run = run_copy}, to, from, bytes, 0});
}

int cudaMemsetAsync(void *at, int value, size_t bytes, tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int device = standin_device_of(__func__, stream);
	if (device < 0)
		return STANDIN_INVALID_HANDLE;
	if (!standin_on_device(__func__, "target", device, at, bytes))
		return STANDIN_INVALID_VALUE;
	if (!bytes)
		return 0;
	return enqueue(__func__, stream, &(struct copy){{.run = run_set}, at, NULL, bytes, value});
}
