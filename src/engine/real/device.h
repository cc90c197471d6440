/* Accelerators of the real engine. They are emulated (emulated.c), or NVIDIA GPUs (cuda/).
 *
 * A device has an arena, allocated once, and its own threads. It runs kernels one after the other, in the order of
 * launch. At the same time it runs copies, one after the other in each direction. It reports each end with
 * tw__job_ended. The engine calls these functions in turns: from any thread, one at a time. None of them may block. */
#ifndef TW__DEVICE_H
#define TW__DEVICE_H

#include "engine/engine.h"
#include "platform/gpus.h"

enum { TW__MAX_SPACES = 64 };

struct tw__device; /* defined by each kind of device */
struct tw__job;

struct tw__device_ops {
	/* Whether the device has this kernel. A plug-in without GPUs answers, too. */
	bool (*has)(const char *workload, const char *kernel);
	/* Finds the GPUs of this machine; call it in a process of its own. TW_INVALID: no GPU can be used; err has
	 * the reason. NULL: not a GPU. */
	int (*detect)(struct tw__gpus *, struct tw_error *err);
	/* Opens the accelerator of that worker. Its memory is the worker's node, with an arena of `arena_bytes`. */
	int (*open)(struct tw__device **, struct tw__engine *, tw_worker, uint64_t arena_bytes, struct tw_error *err);
	void (*launch)(struct tw__device *, struct tw__job *);
	void (*copy)(struct tw__device *, struct tw__job *); /* one end is the device's arena */
	/* Fills it with NaN; nothing may use these bytes. */
	void (*poison)(struct tw__device *, void *at, uint64_t bytes);
	/* Copies synchronously; nothing else may be under way. */
	int (*fetch)(struct tw__device *, void *target, const void *source, uint64_t bytes, struct tw_error *err);
	/* Ends all work that was given to the device. NULL: close does it. All devices are stopped before any is
	 * closed, because they copy from each other. */
	void (*stop)(struct tw__device *);
	void (*close)(struct tw__device *); /* running work ends first */
};

extern const struct tw__device_ops tw__device_emulated;

/* Every device starts with a pointer to its operations. */
static inline const struct tw__device_ops *tw__device_ops_of(const struct tw__device *d)
{
	return *(const struct tw__device_ops *const *)d;
}

#endif
