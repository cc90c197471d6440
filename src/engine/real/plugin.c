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
