/* Emulated accelerators: each has a worker's thread, an arena in main memory, and copies over emulated links. */
#include <stdlib.h>
#include <string.h>

#include "engine/real/real.h"

struct tw__device {
	const struct tw__device_ops *ops;
	struct tw__engine *engine;
	tw_node node;
	struct tw__worker_thread *worker;
};

static void device_close(struct tw__device *d)
{
	if (!d)
		return;
	tw__worker_thread_destroy(d->worker);
	free(d);
}

static int device_open(struct tw__device **out, struct tw__engine *e, tw_worker worker, uint64_t arena_bytes,
                       struct tw_error *err)
{
	struct tw__device *d = calloc(1, sizeof *d);
	if (!d)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	*d = (struct tw__device){.ops = &tw__device_emulated, .engine = e, .node = e->platform->workers[worker].node};
	int status = tw__spaces_map(&e->spaces, d->node, arena_bytes, err);
	if (status == TW_OK)
		status = tw__worker_thread_create(&d->worker, e, worker, TW_NONE, err);
	if (status < 0)
		device_close(d);
	else
		*out = d;
	return status;
}

/* Returns true: an emulated accelerator has every kernel that cores have. */
static bool device_has(const char *workload, const char *kernel)
{
	(void)workload, (void)kernel;
	return true;
}

static void device_launch(struct tw__device *d, struct tw__job *job) { tw__worker_thread_give(d->worker, job); }

static void device_copy(struct tw__device *d, struct tw__job *job) { tw__links_give(d->engine->links, job); }

static void device_poison(struct tw__device *d, void *at, uint64_t bytes)
{
	(void)d;
	memset(at, 0xff, bytes);
}

static int device_fetch(struct tw__device *d, void *target, const void *source, uint64_t bytes, struct tw_error *err)
{
	(void)d, (void)err;
	memcpy(target, source, bytes);
	return TW_OK;
}

const struct tw__device_ops tw__device_emulated = {
	.has = device_has,
	.open = device_open,
	.launch = device_launch,
	.copy = device_copy,
	.poison = device_poison,
	.fetch = device_fetch,
	.close = device_close,
};
