/* GPUs: their number, versions, attributes, access to peers. */
#include "standin.h"

#include <stdio.h>

static _Thread_local int current;
static _Thread_local bool has_context;
static bool is_enabled[STANDIN_MOST_GPUS][STANDIN_MOST_GPUS]; /* [device][peer] */

int standin_current_device(void) { return current; }

bool standin_has_context(void) { return has_context; }

static bool is_device(int device) { return device >= 0 && device < standin_settings()->n_gpus; }

static int any_device(void)
{
	const struct standin_settings *s = standin_settings();
	return s->driver < STANDIN_RUNTIME ? STANDIN_OLD_DRIVER : s->n_gpus < 1 ? STANDIN_NO_DEVICE : 0;
}

int cudaGetDeviceCount(int *count)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int error = any_device();
	*count = error ? 0 : standin_settings()->n_gpus;
	return error;
}

int cudaSetDevice(int device)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int error = any_device();
	if (error)
		return error;
	if (!is_device(device))
		return standin_refuse(STANDIN_INVALID_DEVICE, __func__, "there is no GPU %d", device);
	current = device;
	has_context = true;
	return 0;
}

int cudaDriverGetVersion(int *version)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	*version = standin_settings()->driver;
	return 0;
}

int cudaRuntimeGetVersion(int *version)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	*version = STANDIN_RUNTIME;
	return 0;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!is_device(device))
		return standin_refuse(STANDIN_INVALID_DEVICE, __func__, "there is no GPU %d", device);
	if (attribute != TW__CUDA_ATTRIBUTE_MAJOR && attribute != TW__CUDA_ATTRIBUTE_MINOR)
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "attribute %d is not known", attribute);
	const struct standin_gpu *gpu = &standin_settings()->gpus[device];
	*value = attribute == TW__CUDA_ATTRIBUTE_MAJOR ? gpu->major : gpu->minor;
	return 0;
}

int cudaDeviceGetPCIBusId(char *id, int length, int device)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!is_device(device))
		return standin_refuse(STANDIN_INVALID_DEVICE, __func__, "there is no GPU %d", device);
	if (length < (int)sizeof "0000:00:00.0")
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "%d characters are too few", length);
	snprintf(id, (size_t)length, "0000:%02X:00.0", (unsigned)device);
	return 0;
}

int cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!is_device(device) || !is_device(peer))
		return standin_refuse(STANDIN_INVALID_DEVICE, __func__, "there are no GPUs %d and %d", device, peer);
	*can = device != peer && standin_settings()->peers;
	return 0;
}

int cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (flags)
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "flags are %u: expected 0", flags);
	if (!is_device(peer) || peer == current)
		return standin_refuse(STANDIN_INVALID_DEVICE, __func__, "GPU %d is no peer of GPU %d", peer, current);
	if (!standin_settings()->peers)
		return STANDIN_NO_PEERS;
	standin_lock();
	bool is_first = !is_enabled[current][peer];
	is_enabled[current][peer] = true;
	standin_unlock();
	return is_first ? 0 : STANDIN_PEER_TWICE;
}
