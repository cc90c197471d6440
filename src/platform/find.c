/* Finds the files of a platform, by path or by name. A named platform is a folder of that name in one of the folders of
 * platforms. */
#include "platform/platform.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/module.h"
#include "base/nearest.h"
#include "platform/platform_paths.h"

static bool is_folder(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Returns the path FOLDER/NAME, malloc'ed, if a platform.xml is there; otherwise NULL. */
static char *platform_folder(const char *folder, const char *name)
{
	char *path = tw_format("%s/%s", folder, name), *file = tw_format("%s/platform.xml", path);
	if (access(file, F_OK) != 0) {
		free(path);
		path = NULL;
	}
	free(file);
	return path;
}

/* Returns the path of the next folder of platforms, malloc'ed; NULL: there is none. First come the folders in
 * $TILEWRIGHT_PLATFORMS (separated by colons), then the source tree's while it exists, then the installed one. `*list`
 * and `*stage` keep the state; start with the variable's value and 0. */
static char *next_folder(const char **list, int *stage)
{
	while (*list && **list) {
		const char *from = *list;
		size_t length = strcspn(from, ":");
		*list += length + (from[length] == ':');
		if (length)
			return tw_format("%.*s", (int)length, from);
	}
	while (*stage < 2) {
		char room[TW__PATH_BYTES];
		const char *fixed =
			(*stage)++ == 0 ? TW__PLATFORMS_SOURCE : tw__module_path(room, TW__PLATFORMS_INSTALLED);
		if (is_folder(fixed))
			return tw_copy_text(fixed);
	}
	return NULL;
}

/* A growing list of names, which ends with NULL. */
struct names {
	char **of;
	size_t n, capacity;
};

/* Adds a copy of the name, unless the list has it. */
static void add_name(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->of[i], name) == 0)
			return;
	TW_RESERVE(names->of, names->capacity, names->n + 2);
	names->of[names->n++] = tw_copy_text(name);
	names->of[names->n] = NULL;
}

static void add_names_in(struct names *names, const char *folder)
{
	DIR *entries = opendir(folder);
	if (!entries)
		return; /* a folder in $TILEWRIGHT_PLATFORMS need not exist */
	for (struct dirent *entry; (entry = readdir(entries));) {
		char *path = entry->d_name[0] == '.' ? NULL : platform_folder(folder, entry->d_name);
		if (path)
			add_name(names, entry->d_name);
		free(path);
	}
	closedir(entries);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **tw__platform_names(void)
{
	struct names names = {.of = tw_alloc(1, sizeof *names.of), .capacity = 1};
	int stage = 0;
	const char *list = getenv("TILEWRIGHT_PLATFORMS");
	for (char *folder; (folder = next_folder(&list, &stage));) {
		add_names_in(&names, folder);
		free(folder);
	}
	qsort(names.of, names.n, sizeof *names.of, compare_names);
	return names.of;
}

static const char *name_at(const void *names, int i) { return ((char *const *)names)[i]; }

static int unknown(const char *name, struct tw_error *err)
{
	char known[256] = "", hint[TW__NEAREST_BYTES];
	size_t n = 0, used = 0;
	char **names = tw__platform_names();
	for (; names[n]; n++)
		if (used < sizeof known)
			used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", n ? ", " : "", names[n]);
	tw__nearest_hint(hint, name, name_at, names);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return tw_fail(err, TW_INVALID,
	               "unknown platform '%.80s'%s, expected a path with a '/' or one of: " TW__MACHINE_NAME "%s%s",
	               name, hint, n ? ", " : "", known);
}

/* Returns the path of the folder of the platform with this name, malloc'ed; NULL: there is no such platform. */
static char *find_named(const char *name)
{
	int stage = 0;
	const char *list = getenv("TILEWRIGHT_PLATFORMS");
	char *found = NULL;
	for (char *folder; !found && *name && *name != '.' && (folder = next_folder(&list, &stage));) {
		found = platform_folder(folder, name);
		free(folder);
	}
	return found;
}

static bool is_path(const char *name)
{
	size_t length = strlen(name);
	return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
}

int tw__platform_files(char *files[TW__PLATFORM_FILES], const char *name, struct tw_error *err)
{
	bool is_file = is_path(name) && !is_folder(name);
	const char *slash = strrchr(name, '/');
	char *folder = !is_path(name)  ? find_named(name)
	               : !is_file      ? tw_copy_text(name)
	               : !slash        ? tw_copy_text(".")
	               : slash == name ? tw_copy_text("/")
	                               : tw_format("%.*s", (int)(slash - name), name);
	files[0] = files[1] = files[2] = NULL;
	if (!folder)
		return unknown(name, err);
	files[0] = is_file ? tw_copy_text(name) : tw_format("%s/platform.xml", folder);
	files[1] = tw_format("%s/kernels.csv", folder);
	files[2] = tw_format("%s/samples.csv", folder);
	free(folder);
	return TW_OK;
}
