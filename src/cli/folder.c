#include "cli/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_there(const struct folder *folder, const struct tw__new_file *f, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "--output '%s': '%s' exists: expected another folder, or --force", folder->path,
	               f->final);
}

static int cannot_write(const struct tw__new_file *f, int reason, struct tw_error *err)
{
	return tw_fail(err, TW_FAILED, "%s: cannot be written: %s", f->final, strerror(reason));
}

int folder_open(struct folder *folder, const char *path, const enum tw__new_file_rule rules[FOLDER_FILES],
                struct tw_error *err)
{
	static const char *const names[FOLDER_FILES] = {"platform.xml", "kernels.csv"};
	*folder = (struct folder){.path = path, .is_new = mkdir(path, 0777) == 0};
	if (!folder->is_new && errno != EEXIST)
		return tw_fail(err, TW_INVALID, "--output '%s': %s: expected a folder that can be made", path,
		               strerror(errno));
	for (int i = 0; i < FOLDER_FILES; i++) {
		struct tw__new_file *f = &folder->files[i];
		int status = tw__new_file_in(f, "--output", path, names[i], err);
		if (status < 0)
			return status;
		f->rule = rules[i];
		folder->n_open++;
		if (f->rule == TW__REFUSE && access(f->final, F_OK) == 0)
			return is_there(folder, f, err);
	}
	return TW_OK;
}

void folder_without_kernels(struct folder *folder) { tw__new_file_drop(&folder->files[--folder->n_open]); }

int folder_flush(struct folder *folder, int file, char path[4096], struct tw_error *err)
{
	struct tw__new_file *f = &folder->files[file];
	int reason = tw__flush(f->f);
	if (f->has_name)
		snprintf(path, sizeof f->path, "%s", f->path);
	else
		snprintf(path, sizeof f->path, "/proc/self/fd/%d", fileno(f->f));
	if (!reason && fsync(fileno(f->f)) < 0)
		reason = errno;
	return reason ? cannot_write(f, reason, err) : TW_OK;
}

/* platform.xml gets its final name last: this file makes the folder a platform. */
int folder_settle(struct folder *folder, struct tw_error *err)
{
	char path[4096];
	int status = TW_OK;
	for (int i = 0; i < folder->n_open && status == TW_OK; i++)
		status = folder_flush(folder, i, path, err);
	while (status == TW_OK && folder->n_open > 0) {
		struct tw__new_file *f = &folder->files[--folder->n_open];
		int reason = tw__new_file_end(f);
		if (reason)
			status = reason == EEXIST ? is_there(folder, f, err) : cannot_write(f, reason, err);
	}
	for (int i = 0; i < FOLDER_FILES && status < 0; i++)
		if (folder->files[i].is_made && folder->files[i].rule != TW__REPLACE)
			unlink(folder->files[i].final);
	return status;
}

void folder_finish(struct folder *folder)
{
	while (folder->n_open > 0)
		tw__new_file_drop(&folder->files[--folder->n_open]);
	if (folder->is_new)
		rmdir(folder->path); /* leaves a folder that is not empty */
}
