#include "cli/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"

static int is_there(const struct folder *folder, const struct folder_file *f, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "--output '%s': '%s' exists: expected another folder, or --force", folder->path,
	               f->path);
}

static int open_draft(struct folder *folder, struct folder_file *f, const char *name, struct tw_error *err)
{
	f->path = tw_format("%s/%s", folder->path, name);
	f->draft = tw_format("%s/.%s.XXXXXX", folder->path, name);
	int fd = mkstemp(f->draft);
	mode_t mask = umask(0);
	umask(mask);
	if (fd >= 0 && fchmod(fd, 0666 & ~mask) == 0 && (f->file = fdopen(fd, "w")))
		return TW_OK;
	int reason = errno;
	if (fd >= 0) {
		close(fd);
		unlink(f->draft);
	}
	free(f->draft);
	f->draft = NULL;
	return tw_fail(err, TW_INVALID, "--output '%s': %s: expected a folder that can be written to", folder->path,
	               strerror(reason));
}

int folder_open(struct folder *folder, const char *path, const enum folder_rule rules[FOLDER_FILES],
                struct tw_error *err)
{
	static const char *const names[FOLDER_FILES] = {"platform.xml", "kernels.csv"};
	*folder = (struct folder){.path = path};
	folder->is_new = mkdir(path, 0777) == 0;
	if (!folder->is_new && errno != EEXIST)
		return tw_fail(err, TW_INVALID, "--output '%s': %s: expected a folder that can be made", path,
		               strerror(errno));
	for (int i = 0; i < FOLDER_FILES; i++) {
		struct folder_file *f = &folder->files[i];
		f->rule = rules[i];
		int status = open_draft(folder, f, names[i], err);
		if (status == TW_OK && f->rule == FOLDER_REFUSE && access(f->path, F_OK) == 0)
			status = is_there(folder, f, err);
		if (status < 0)
			return status;
	}
	return TW_OK;
}

int folder_close(struct folder *folder, int i, struct tw_error *err)
{
	struct folder_file *f = &folder->files[i];
	FILE *file = f->file;
	f->file = NULL;
	int reason = tw__close(file, true);
	return reason ? tw_fail(err, TW_FAILED, "%s: cannot be written: %s", f->path, strerror(reason)) : TW_OK;
}

/* Gives the draft of a file its final name. Returns 0 or errno. A file that has appeared meanwhile is replaced only
 * under FOLDER_REPLACE. */
static int settle(struct folder_file *f)
{
	bool replace = f->rule == FOLDER_REPLACE;
	if (replace ? rename(f->draft, f->path) < 0 : link(f->draft, f->path) < 0)
		return f->rule == FOLDER_KEEP && errno == EEXIST ? 0 : errno;
	if (!replace)
		unlink(f->draft);
	free(f->draft);
	f->draft = NULL;
	return 0;
}

/* platform.xml gets its final name last: this file makes the folder a platform. */
int folder_settle(struct folder *folder, struct tw_error *err)
{
	for (int i = 0; i < FOLDER_FILES; i++) {
		int status = folder->files[i].file ? folder_close(folder, i, err) : TW_OK;
		if (status < 0)
			return status;
	}
	for (int i = FOLDER_FILES - 1; i >= 0; i--) {
		struct folder_file *f = &folder->files[i];
		int error = settle(f);
		if (!error)
			continue;
		for (int j = i + 1; j < FOLDER_FILES; j++)
			if (!folder->files[j].draft && folder->files[j].rule != FOLDER_REPLACE)
				unlink(folder->files[j].path);
		return error == EEXIST ? is_there(folder, f, err)
		                       : tw_fail(err, TW_FAILED, "%s: cannot be written: %s", f->path, strerror(error));
	}
	return TW_OK;
}

void folder_finish(struct folder *folder)
{
	for (int i = 0; i < FOLDER_FILES; i++) {
		struct folder_file *f = &folder->files[i];
		if (f->file)
			fclose(f->file);
		if (f->draft)
			unlink(f->draft);
		free(f->draft);
		free(f->path);
	}
	if (folder->is_new)
		rmdir(folder->path); /* leaves a folder that is not empty */
}
