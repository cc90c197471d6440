/* Accelerators of the real engine. They are emulated (emulated.c), or NVIDIA's GPUs (cuda/).
 *
 * A device has an arena, taken once, and threads of its own. It runs kernels one after the other in the order in which they are given,
 * and copies, at the same time, one after the other for each direction. It tells of each end with tw__job_ended. The engine calls these
 * functions in turns, from any thread but one at a time; none of them may block. */
#ifndef TW__DEVICE_H
#define TW__DEVICE_H

#include "engine/engine.h"
#include "platform/gpus.h"

enum { TW__MAX_SPACES = 64 };

struct tw__device; /* each kind's own */
struct tw__job;

struct tw__device_ops {
	/* Whether there is such a kernel. A plug-in without GPUs tells, too. */
	bool (*has)(const char *workload, const char *kernel);
	/* The GPUs of this machine; in a process of its own. TW_INVALID, with the reason: none can be used. NULL: the devices are no GPUs. */
	int (*detect)(struct tw__gpus *, struct tw_error *err);
	/* The accelerator of that worker; its memory is the worker's node, of `arena_bytes`. */
	int (*open)(struct tw__device **, struct tw__engine *, tw_worker, uint64_t arena_bytes, struct tw_error *err);
	void (*launch)(struct tw__device *, struct tw__job *);
	void (*copy)(struct tw__device *, struct tw__job *);           /* one end is its arena */
	void (*poison)(struct tw__device *, void *at, uint64_t bytes); /* with NaN; nobody uses that room */
	/* A copy that has ended when it returns; nothing else is under way. */
	int (*fetch)(struct tw__device *, void *target, const void *source, uint64_t bytes, struct tw_error *err);
	/* What was given to it ends. NULL: that is so when it is closed. All devices stop before any is closed, as they copy from each other. */
	void (*stop)(struct tw__device *);
	void (*close)(struct tw__device *); /* what runs ends first */
};

extern const struct tw__device_ops tw__device_emulated;

/* Each device begins with a pointer to its operations. */
static inline const struct tw__device_ops *tw__device_ops_of(const struct tw__device *d)
{
	return *(const struct tw__device_ops *const *)d;
}

#endif
