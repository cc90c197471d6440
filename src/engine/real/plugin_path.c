#include "engine/real/plugin_path.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *tw__plugin_path(char room[TW__PATH_BYTES], const char *built)
{
	static const char self = 0;
	const char *name = strrchr(built, '/') + 1;
	Dl_info library;
	if (dladdr(&self, &library)) {
		const char *slash = strrchr(library.dli_fname, '/');
		snprintf(room, TW__PATH_BYTES, "%.*stilewright/%s", slash ? (int)(slash - library.dli_fname + 1) : 0,
		         library.dli_fname, name);
		if (access(room, F_OK) == 0)
			return room;
	}
	snprintf(room, TW__PATH_BYTES, "%s", built);
	return room;
}
