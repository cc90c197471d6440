/* The plug-in with CUDA's devices. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/real/kernel_paths.h"
#include "engine/real/real.h"

int tw__device_plugin(const struct tw__device_ops **ops, struct tw_error *err)
{
	const char *path = access(TW__CUDA_BUILT, F_OK) == 0 ? TW__CUDA_BUILT : TW__CUDA_INSTALLED;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	*ops = library ? dlsym(library, "tw__device_cuda") : NULL;
	if (*ops)
		return TW_OK;
	const char *reason = dlerror();
	return tw_fail(err, TW_FAILED, "%.200s: no plug-in with CUDA's devices: %.200s", path,
	               reason ? reason : "unknown");
}
