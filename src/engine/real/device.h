/* Devices: accelerators of the real engine. They are emulated (emulated.c), or NVIDIA GPUs (cuda/). Of several main
 * memories each is a device, too, which only copies (mains.c).
 *
 * A device has an arena, allocated once, and its own threads. It runs kernels one after the other, in the order of
 * launch. At the same time it runs copies, one after the other in each direction. It reports each end with
 * tw__job_ended. The engine calls the functions below in turns: from any thread, one at a time. None of them may
 * block. */
#ifndef TW__REAL_DEVICE_H
#define TW__REAL_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <tilewright/base.h>

#include "platform/gpus.h"

struct tw__engine;
struct tw__job;
struct tw__device; /* the state of a device; each kind of device defines its own */

struct tw__device_ops {
	/* For GPUs alone: whether the device can run this kernel of the workload. Works without an open device. */
	bool (*has)(const char *workload, const char *kernel);
	/* For GPUs alone: finds those of this machine; call it in a process of its own. TW_INVALID: no GPU can be used;
	 * err has the reason. */
	int (*detect)(struct tw__gpus *, struct tw_error *err);
	/* Opens the device of that worker, with an arena in its memory. After a failure, too, close it unless NULL. */
	int (*open)(struct tw__device **, struct tw__engine *, tw_worker, uint64_t arena_bytes, struct tw_error *err);
	void (*launch)(struct tw__device *, struct tw__job *);
	void (*copy)(struct tw__device *, struct tw__job *); /* source or target is the device's arena */
	/* The next two functions are NULL if the arena is in main memory. */
	/* Fills a part of the arena with NaN. No kernel or copy may use these bytes. */
	void (*poison)(struct tw__device *, void *at, uint64_t bytes);
	/* Copies from the arena to main memory, and waits for the copy. No kernel or other copy may be under way. */
	int (*fetch)(struct tw__device *, void *target, const void *source, uint64_t bytes, struct tw_error *err);
	/* Waits for all work that was given to the device. NULL: `close` does it. All devices are stopped before any is
	 * closed, because they copy from each other. */
	void (*stop)(struct tw__device *);
	void (*close)(struct tw__device *); /* waits for running work */
};

/* Returns the operations of a device. Every kind of device starts with a pointer to them. */
static inline const struct tw__device_ops *tw__device_ops_of(const struct tw__device *d)
{
	return *(const struct tw__device_ops *const *)d;
}

#endif
