#include "process/shared_object.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tilewright/eviction.h>
#include <tilewright/policy.h>
#include <tilewright/workload.h>

#include "process/foreign.h"

const struct tw__plugin_kind tw__policy_kind = {"policy", "tilewright_policy", TW_POLICY_ABI};
const struct tw__plugin_kind tw__eviction_kind = {"eviction policy", "tilewright_eviction", TW_EVICTION_ABI};
const struct tw__plugin_kind tw__workload_kind = {"workload", "tilewright_workload", TW_WORKLOAD_ABI};

bool tw__is_shared_object(const char *name)
{
	size_t length = strlen(name);
	return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

/* Seconds that the constructors of an object may take. They may read large libraries from slow disks. */
static const double LOAD_LIMIT_S = 60;

/* Returns the dynamic loader's error without the path at its start, as our message already has the path. */
static const char *reason(const char *path)
{
	const char *text = dlerror();
	size_t length = strlen(path);
	return text && strncmp(text, path, length) == 0 && text[length] == ':' ? text + length + 2 : text;
}

/* Loads an object into this process, after a trial. Constructors of shared objects are code of plug-ins. */
static int load(void **library, const char *path, struct tw_error *err)
{
	struct tw__own_state own;
	struct stat about;
	int output;
	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) /* the loader would wait for the writer of a pipe */
		return tw_fail(err, TW_INVALID, "it is not a regular file");
	*library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	if (*library) /* it is there already */
		return TW_OK;
	int status = tw__shared_object_try(path, LOAD_LIMIT_S, err);
	if (status == TW_OK)
		status = tw__output_divert(&output, err);
	if (status < 0)
		return status;
	tw__foreign_begin(&own);
	*library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	tw__foreign_end(&own);
	tw__output_restore(output);
	return *library ? TW_OK : tw_fail(err, TW_INVALID, "%.160s", reason(path));
}

/* Opens a plug-in. A name without '/' is a file in the current folder: the loader's search path is not used. */
int tw__shared_object_open(const void **plugin, const struct tw__plugin_kind *kind, const char *name,
                           struct tw_error *err)
{
	char *path;
	void *library;
	if (asprintf(&path, "%s%s", strchr(name, '/') ? "" : "./", name) < 0)
		return tw_fail(err, TW_NOMEM, "%s '%.100s': out of memory", kind->what, name);
	int status = load(&library, path, err);
	free(path);
	if (status < 0)
		return tw_fail(err, status, "%s '%.200s': %.160s: expected a shared object that can be loaded",
		               kind->what, name, err->message);
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
