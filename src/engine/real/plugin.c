/* The plug-in with CUDA's devices. */
#include <dlfcn.h>
#include <stdlib.h>

#include "engine/real/gpus.h"
#include "engine/real/kernel_paths.h"
#include "engine/real/plugin_path.h"
#include "engine/real/real.h"

int tw__device_plugin(const struct tw__device_ops **ops, struct tw_error *err)
{
	*ops = NULL;
	if (!TW__CUDA)
		return tw_fail(err, TW_INVALID, "built without CUDA: expected a build with the option cuda=enabled");
	char room[TW__PATH_BYTES];
	const char *path = tw__plugin_path(room, TW__CUDA_BUILT);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	*ops = library ? dlsym(library, "tw__device_cuda") : NULL;
	if (*ops)
		return TW_OK;
	const char *reason = dlerror();
	return tw_fail(err, TW_INVALID, "%.200s: no plug-in with CUDA's devices: %.200s", path,
	               reason ? reason : "unknown");
}

/* --- opening a GPU ------------------------------------------------------------------------------------------------ */

/* Its kernels run for the first time, and main memory is pinned. */
enum { OPENING_PATIENCE = 10 };

static int open_gpu(struct tw__engine *e, struct tw_error *err)
{
	const struct tw__device_ops *ops;
	int status = tw__device_plugin(&ops, err);
	if (status < 0)
		return status;
	const struct tw__worker *worker = &e->platform->workers[e->opening.worker];
	tw__watched_step(e, OPENING_PATIENCE * tw__watch_patience(e), "opening '%s'", worker->name);
	return ops->open(&e->devices[worker->node], e, e->opening.worker, e->opening.arena_bytes, err);
}

int tw__gpu_open(struct tw__engine *e, tw_worker worker, uint64_t arena_bytes, struct tw_error *err)
{
	e->opening.worker = worker;
	e->opening.arena_bytes = arena_bytes;
	return tw__watched_work(e, open_gpu, err);
}

/* --- before a run ------------------------------------------------------------------------------------------------- */

int tw__real_detect_gpus(struct tw__gpus *gpus, struct tw_error *err)
{
	const struct tw__device_ops *ops;
	int status = tw__device_plugin(&ops, err);
	return status == TW_OK ? ops->detect(gpus, err) : status;
}

bool tw__real_gpus_have(const char *workload, const char *kernel)
{
	const struct tw__device_ops *ops;
	struct tw_error err;
	return tw__device_plugin(&ops, &err) == TW_OK && ops->has(workload, kernel);
}
