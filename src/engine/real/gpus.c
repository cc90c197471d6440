/* Loads the plug-in for NVIDIA GPUs, and calls its functions. */
#include "base/module.h"
#include "engine/real/real.h"

static int load_plugin(const struct tw__device_ops **ops, struct tw_error *err)
{
	*ops = NULL;
	if (!TW__CUDA)
		return tw_fail(err, TW_INVALID, "built without CUDA: expected a build with the option cuda=enabled");
	*ops = tw__module_open(TW__CUDA_BUILT, "tw__device_cuda", "plug-in with CUDA's devices", err);
	return *ops ? TW_OK : TW_INVALID;
}

/* --- opening a GPU ------------------------------------------------------------------------------------------------ */

/* A factor: opening a GPU may take this many times the watchdog's patience, because it runs kernels and pins memory. */
enum { OPENING_PATIENCE = 10 };

static int open_gpu(struct tw__engine *e, struct tw_error *err)
{
	const struct tw__device_ops *ops;
	int status = load_plugin(&ops, err);
	if (status < 0)
		return status;
	const struct tw__worker *worker = &e->platform->workers[e->opening.worker];
	tw__watched_step(e, OPENING_PATIENCE * tw__watch_patience(e), "opening '%s'", worker->name);
	return ops->open(&e->devices[worker->node], e, e->opening.worker, e->opening.arena_bytes, err);
}

int tw__gpu_open(struct tw__engine *e, tw_worker w, uint64_t arena_bytes, struct tw_error *err)
{
	struct tw_error why;
	e->opening.worker = w;
	e->opening.arena_bytes = arena_bytes;
	int status = tw__watched_work(e, open_gpu, &why);
	if (status == TW_INVALID)
		return tw_fail(err, status,
		               "engine 'real': this machine has no device for accelerator '%s' (%.300s): expected "
		               "--gpus 0, or --emulate",
		               e->platform->workers[w].name, why.message);
	return status == TW_OK ? TW_OK : tw_fail(err, status, "%s", why.message);
}

/* --- before a run ------------------------------------------------------------------------------------------------- */

int tw__real_detect_gpus(struct tw__gpus *gpus, struct tw_error *err)
{
	const struct tw__device_ops *ops;
	int status = load_plugin(&ops, err);
	return status == TW_OK ? ops->detect(gpus, err) : status;
}

bool tw__real_gpus_have(const char *workload, const char *kernel)
{
	const struct tw__device_ops *ops;
	struct tw_error err;
	return load_plugin(&ops, &err) == TW_OK && ops->has(workload, kernel);
}
