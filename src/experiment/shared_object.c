#include "experiment/shared_object.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/eviction.h>
#include <tilewright/policy.h>
#include <tilewright/workload.h>

const struct tw__plugin_kind tw__policy_kind = {"policy", "tilewright_policy", TW_POLICY_ABI};
const struct tw__plugin_kind tw__eviction_kind = {"eviction policy", "tilewright_eviction", TW_EVICTION_ABI};
const struct tw__plugin_kind tw__workload_kind = {"workload", "tilewright_workload", TW_WORKLOAD_ABI};

bool tw__is_shared_object(const char *name)
{
	size_t length = strlen(name);
	return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

/* Returns the dynamic loader's error without the path at its start, as our message already has the path. */
static const char *reason(const char *path)
{
	const char *text = dlerror();
	size_t length = strlen(path);
	return text && strncmp(text, path, length) == 0 && text[length] == ':' ? text + length + 2 : text;
}

/* Opens a plug-in. A name without '/' is a file in the current folder: the loader's search path is not used. */
int tw__shared_object_open(const void **plugin, const struct tw__plugin_kind *kind, const char *name,
                           struct tw_error *err)
{
	char *path;
	if (asprintf(&path, "%s%s", strchr(name, '/') ? "" : "./", name) < 0)
		return tw_fail(err, TW_NOMEM, "%s '%.100s': out of memory", kind->what, name);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!library)
		tw_fail(err, TW_INVALID, "%s '%.200s': %.160s: expected a shared object that can be loaded", kind->what,
		        name, reason(path));
	free(path);
	if (!library)
		return TW_INVALID;
	*plugin = dlsym(library, kind->symbol);
	int abi = *plugin ? *(const int *)*plugin : 0;
	dlclose(library);
	if (!*plugin)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected a shared object that exports '%s'", kind->what,
		               name, kind->symbol);
	if (abi != kind->abi)
		return tw_fail(err, TW_INVALID, "%s '%.200s': built for version %d of the interface: expected %d",
		               kind->what, name, abi, kind->abi);
	return TW_OK;
}
