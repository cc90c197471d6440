/* Device memory, pinned ranges, checks of addresses. */
#include "standin.h"

#include <stdlib.h>

struct allocation {
	struct standin_thing thing;
	char *at;
	size_t bytes;
	int device;
};

struct range {
	struct standin_thing thing;
	const char *at;
	size_t bytes;
};

enum { ALIGNMENT = 256 };

static size_t used_bytes[STANDIN_MOST_GPUS];

bool standin_overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

/* The first allocation that overlaps these bytes. */
static const struct allocation *allocation_of(const void *at, size_t bytes)
{
	const struct allocation *a = (void *)standin_first(STANDIN_ALLOCATIONS);
	while (a && !standin_overlap(a->at, a->bytes, at, bytes))
		a = (void *)a->thing.next;
	return a;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

bool standin_on_device(const char *function, const char *what, int device, const void *at, size_t bytes)
{
	if (!bytes)
		return true;
	standin_lock();
	const struct allocation *a = allocation_of(at, bytes);
	bool is_other = a && a->device != device;
	bool is_whole = a && (uintptr_t)at >= (uintptr_t)a->at && (uintptr_t)at - (uintptr_t)a->at + bytes <= a->bytes;
	standin_unlock();
	if (is_whole && !is_other)
		return true;
	standin_refuse(0, function, "%s: %zu bytes at %p are %s GPU %d", what, bytes, at,
	               !a         ? "in no allocation of"
	               : is_other ? "in an allocation of another GPU than"
	                          : "not all in an allocation of",
	               device);
	return false;
}

bool standin_on_host(const char *function, const char *what, const void *at, size_t bytes)
{
	if (!bytes)
		return true;
	standin_lock();
	bool is_host = at && !allocation_of(at, bytes);
	standin_unlock();
	if (!is_host)
		standin_refuse(0, function, "%s: %zu bytes at %p are not in main memory", what, bytes, at);
	return is_host;
}

/* --- device memory ------------------------------------------------------------------------------------------------ */

int cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int device = standin_current_device();
	if (device >= standin_settings()->n_gpus)
		return STANDIN_NO_DEVICE;
	standin_lock();
	*total = standin_settings()->gpus[device].memory_bytes;
	*free_bytes = *total - used_bytes[device];
	standin_unlock();
	return 0;
}

/* Reserves memory of the current device; false: too little is free. */
static bool reserve(int device, size_t bytes)
{
	standin_lock();
	bool fits = bytes <= standin_settings()->gpus[device].memory_bytes - used_bytes[device];
	if (fits)
		used_bytes[device] += bytes;
	standin_unlock();
	return fits;
}

static void release(int device, size_t bytes)
{
	standin_lock();
	used_bytes[device] -= bytes;
	standin_unlock();
}

int cudaMalloc(void **at, size_t bytes)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	*at = NULL;
	if (!bytes)
		return 0;
	int device = standin_current_device();
	if (device >= standin_settings()->n_gpus)
		return STANDIN_NO_DEVICE;
	if (!reserve(device, bytes))
		return STANDIN_NO_MEMORY;
	struct allocation *a = calloc(1, sizeof *a);
	if (!a || posix_memalign((void **)&a->at, ALIGNMENT, bytes)) {
		free(a);
		release(device, bytes);
		return STANDIN_NO_MEMORY;
	}
	a->bytes = bytes;
	a->device = device;
	*at = a->at;
	standin_lock();
	standin_add(STANDIN_ALLOCATIONS, a);
	standin_unlock();
	return 0;
}

/* Waits for the streams of the memory's device, as CUDA does. Copies in streams of other GPUs must have ended. */
int cudaFree(void *at)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!at)
		return 0;
	standin_lock();
	struct allocation *a = (void *)standin_first(STANDIN_ALLOCATIONS);
	while (a && a->at != at)
		a = (void *)a->thing.next;
	if (a) {
		standin_remove(STANDIN_ALLOCATIONS, a);
		used_bytes[a->device] -= a->bytes;
	}
	standin_unlock();
	if (!a)
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "no allocation begins at %p", at);
	standin_wait_for_device(a->device);
	free(a->at);
	free(a);
	return 0;
}

/* --- pinned ranges ------------------------------------------------------------------------------------------------ */

int cudaHostRegister(void *at, size_t bytes, unsigned flags)
{
	(void)flags;
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!bytes || !standin_on_host(__func__, "range", at, bytes))
		return STANDIN_INVALID_VALUE;
	struct range *range = calloc(1, sizeof *range);
	if (!range)
		return STANDIN_NO_MEMORY;
	range->at = at;
	range->bytes = bytes;
	standin_lock();
	const struct range *r = (void *)standin_first(STANDIN_RANGES);
	while (r && !standin_overlap(r->at, r->bytes, at, bytes))
		r = (void *)r->thing.next;
	if (!r)
		standin_add(STANDIN_RANGES, range);
	standin_unlock();
	if (r)
		free(range);
	return r ? STANDIN_REGISTERED_TWICE : 0;
}

int cudaHostUnregister(void *at)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	standin_lock();
	struct range *r = (void *)standin_first(STANDIN_RANGES);
	while (r && r->at != at)
		r = (void *)r->thing.next;
	if (r)
		standin_remove(STANDIN_RANGES, r);
	standin_unlock();
	free(r);
	return r ? 0 : STANDIN_NOT_REGISTERED;
}
