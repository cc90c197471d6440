/* Finds the files of a platform, by path or by name. A named platform is a folder of that name in one of the folders of
 * platforms. */
#include "platform/platform.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "platform/machine.h"
#include "platform/platform_paths.h"

static bool is_folder(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Returns the path FOLDER/FILE, malloc'ed; NULL: out of memory. */
static char *join(const char *folder, const char *file)
{
	char *path;
	return asprintf(&path, "%s/%s", folder, file) < 0 ? NULL : path;
}

/* Returns the path FOLDER/NAME, malloc'ed, if a platform.xml is there. Otherwise returns NULL, and sets
 * `*short_of_memory` if it is out of memory. */
static char *platform_folder(const char *folder, const char *name, bool *short_of_memory)
{
	char *path = join(folder, name);
	char *file = path ? join(path, "platform.xml") : NULL;
	if (!file)
		*short_of_memory = true;
	if (!file || access(file, F_OK) != 0) {
		free(path);
		path = NULL;
	}
	free(file);
	return path;
}

/* Returns the path of the next folder of platforms, malloc'ed; NULL: there is none, or out of memory. First come the
 * folders in $TILEWRIGHT_PLATFORMS (separated by colons), then the source tree's while it exists, then the installed
 * one. `*list` and `*stage` keep the state; start with the variable's value and 0. */
static char *next_folder(const char **list, int *stage, bool *short_of_memory)
{
	char *folder = NULL;
	while (!folder && *list && **list) {
		size_t length = strcspn(*list, ":");
		const char *from = *list;
		*list += length + (from[length] == ':');
		if (length && !(folder = strndup(from, length)))
			*short_of_memory = true;
		if (*short_of_memory)
			return NULL;
	}
	while (!folder && *stage < 2) {
		const char *fixed = (*stage)++ == 0 ? TW__PLATFORMS_SOURCE : TW__PLATFORMS_INSTALLED;
		if (!is_folder(fixed))
			continue;
		folder = strdup(fixed);
		if (!folder) {
			*short_of_memory = true;
			return NULL;
		}
	}
	return folder;
}

static void free_names(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* Appends a copy of `name` to the NULL-terminated `names`, unless they contain it. false: out of memory. */
static bool add_name(char ***names, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp((*names)[i], name) == 0)
			return true;
	char *copy = strdup(name);
	char **grown = copy ? reallocarray(*names, *n + 2, sizeof **names) : NULL;
	if (!grown) {
		free(copy);
		return false;
	}
	*names = grown;
	grown[(*n)++] = copy;
	grown[*n] = NULL;
	return true;
}

static bool add_names_in(char ***names, size_t *n, const char *folder)
{
	bool short_of_memory = false;
	DIR *entries = opendir(folder);
	if (!entries)
		return true; /* a folder in $TILEWRIGHT_PLATFORMS need not exist */
	for (struct dirent *entry; !short_of_memory && (entry = readdir(entries));) {
		if (entry->d_name[0] == '.')
			continue;
		char *path = platform_folder(folder, entry->d_name, &short_of_memory);
		if (path && !add_name(names, n, entry->d_name))
			short_of_memory = true;
		free(path);
	}
	closedir(entries);
	return !short_of_memory;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **tw__platform_names(void)
{
	size_t n = 0;
	int stage = 0;
	const char *list = getenv("TILEWRIGHT_PLATFORMS");
	char **names = calloc(1, sizeof *names);
	bool short_of_memory = !names;
	while (!short_of_memory) {
		char *folder = next_folder(&list, &stage, &short_of_memory);
		if (!folder)
			break;
		short_of_memory = !add_names_in(&names, &n, folder);
		free(folder);
	}
	if (short_of_memory) {
		free_names(names, n);
		return NULL;
	}
	qsort(names, n, sizeof *names, compare_names);
	return names;
}

static const char *name_at(const void *names, int i) { return ((char *const *)names)[i]; }

static int unknown(const char *name, struct tw_error *err)
{
	char known[256] = "", hint[TW__NEAREST_BYTES];
	size_t n = 0, used = 0;
	char **names = tw__platform_names();
	if (!names)
		return tw_fail(err, TW_NOMEM, "platform '%.80s': out of memory", name);
	for (; names[n]; n++)
		if (used < sizeof known)
			used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", n ? ", " : "", names[n]);
	tw__nearest_hint(hint, name, name_at, names);
	free_names(names, n);
	return tw_fail(err, TW_INVALID,
	               "unknown platform '%.80s'%s, expected a path with a '/' or one of: " TW__MACHINE_NAME "%s%s",
	               name, hint, n ? ", " : "", known);
}

/* Sets *found to the path of the folder of the platform with this name, malloc'ed; NULL: there is no such platform. */
static int find_named(char **found, const char *name, struct tw_error *err)
{
	int stage = 0;
	bool short_of_memory = false;
	const char *list = getenv("TILEWRIGHT_PLATFORMS");
	*found = NULL;
	while (!*found && !short_of_memory && name[0] && name[0] != '.') {
		char *folder = next_folder(&list, &stage, &short_of_memory);
		if (!folder)
			break;
		*found = platform_folder(folder, name, &short_of_memory);
		free(folder);
	}
	return short_of_memory ? tw_fail(err, TW_NOMEM, "platform '%.80s': out of memory", name) : TW_OK;
}

static bool is_path(const char *name)
{
	size_t length = strlen(name);
	return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
}

/* Finds the paths of a platform's XML file and of its kernels.csv, both malloc'ed. */
static int locate(char **file, char **kernels_path, const char *name, struct tw_error *err)
{
	char *folder = NULL;
	*file = *kernels_path = NULL;
	if (is_path(name) && !is_folder(name)) {
		const char *slash = strrchr(name, '/');
		*file = strdup(name);
		folder = !slash ? strdup(".") : slash == name ? strdup("/") : strndup(name, (size_t)(slash - name));
	} else {
		if (is_path(name)) {
			folder = strdup(name);
		} else {
			int status = find_named(&folder, name, err);
			if (status < 0)
				return status;
			if (!folder)
				return unknown(name, err);
		}
		*file = folder ? join(folder, "platform.xml") : NULL;
	}
	*kernels_path = folder ? join(folder, "kernels.csv") : NULL;
	free(folder);
	if (*file && *kernels_path)
		return TW_OK;
	free(*file);
	free(*kernels_path);
	*file = *kernels_path = NULL;
	return tw_fail(err, TW_NOMEM, "platform '%.80s': out of memory", name);
}

int tw__platform_files(char *files[TW__PLATFORM_FILES], const char *name, struct tw_error *err)
{
	files[0] = files[1] = files[2] = NULL;
	int status = locate(&files[0], &files[1], name, err);
	if (status < 0)
		return status;
	const char *slash = strrchr(files[1], '/');
	if (asprintf(&files[2], "%.*ssamples.csv", (int)(slash + 1 - files[1]), files[1]) >= 0)
		return TW_OK;
	free(files[0]);
	free(files[1]);
	files[0] = files[1] = files[2] = NULL;
	return tw_fail(err, TW_NOMEM, "platform '%.80s': out of memory", name);
}

int tw__platform_find(struct tw_platform **platform, char **kernels_path, const char *name, struct tw_error *err)
{
	char *file;
	*platform = NULL;
	int status = locate(&file, kernels_path, name, err);
	if (status == TW_OK)
		status = tw__platform_read(platform, file, name, err);
	free(file);
	if (status < 0) {
		free(*kernels_path);
		*kernels_path = NULL;
	}
	return status;
}
