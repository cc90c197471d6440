#include "base/module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

void tw__loading_lock(void) { pthread_mutex_lock(&loading); }

void tw__loading_unlock(void) { pthread_mutex_unlock(&loading); }

void *tw__library_open(const char *path, int flags)
{
	tw__loading_lock();
	void *library = dlopen(path, flags);
	tw__loading_unlock();
	return library;
}

void tw__library_close(void *library)
{
	tw__loading_lock();
	dlclose(library);
	tw__loading_unlock();
}

const char *tw__module_path(char room[TW__PATH_BYTES], const char *built)
{
	static const char self = 0;
	const char *name = strrchr(built, '/') + 1;
	Dl_info library;
	if (dladdr(&self, &library)) {
		const char *slash = strrchr(library.dli_fname, '/');
		const int folder = slash ? (int)(slash - library.dli_fname + 1) : 0;
		for (int i = 0; i < 2; i++) {
			snprintf(room, TW__PATH_BYTES, "%.*s%s%s", folder, library.dli_fname, i ? "tilewright/" : "",
			         name);
			if (access(room, F_OK) == 0)
				return room;
		}
	}
	snprintf(room, TW__PATH_BYTES, "%s", built);
	return room;
}

const void *tw__module_open(const char *built, const char *symbol, const char *what, struct tw_error *err)
{
	char room[TW__PATH_BYTES];
	const char *path = tw__module_path(room, built);
	/* RTLD_NODELETE, because a module's libraries may have started threads or installed handlers. RTLD_LAZY,
	 * because a run calls few of the functions of SimGrid's libraries. */
	void *library = tw__library_open(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	const char *version = library ? dlsym(library, "tw__module_version") : NULL;
	if (version && strcmp(version, tw_version()) != 0) {
		tw_fail(err, TW_INVALID, "%.200s: no %s: the module has version %.40s: expected %s, install both again",
		        path, what, version, tw_version());
		return NULL;
	}
	const void *object = version ? dlsym(library, symbol) : NULL;
	if (object)
		return object;
	const char *reason = dlerror();
	tw_fail(err, TW_INVALID, "%.200s: no %s: %.200s", path, what, reason ? reason : "unknown");
	return NULL;
}
