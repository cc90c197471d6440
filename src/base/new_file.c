#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int tw__flush(FILE *f)
{
	errno = 0;
	if (fflush(f) == 0 && !ferror(f))
		return 0;
	return errno ? errno : EIO; /* EIO: an earlier write failed, whose reason is lost */
}

int tw__close(FILE *f, bool sync)
{
	int reason = tw__flush(f);
	/* The reason may be lost: ask again. Callers drop what is incomplete. */
	if (reason == EIO && fileno(f) >= 0 && write(fileno(f), "\n", 1) < 0)
		reason = errno;
	if (!reason && sync && fsync(fileno(f)) != 0)
		reason = errno;
	if (fclose(f) != 0 && !reason)
		reason = errno;
	return reason;
}

static int cannot_write(const struct tw__new_file *d, int reason, struct tw_error *err)
{
	return tw_fail(err, TW_FAILED, "%.400s: cannot be written: %s", d->final, strerror(reason));
}

static bool set_paths(struct tw__new_file *d, const char *folder, int length, const char *name)
{
	d->rule = TW__REPLACE;
	d->is_made = false;
	int n = snprintf(d->final, sizeof d->final, "%.*s%s", length, folder, name);
	int m = snprintf(d->path, sizeof d->path, "%.*s.%s.%d.part", length, folder, name, (int)getpid());
	return n > 0 && (size_t)n < sizeof d->final && m > 0 && (size_t)m < sizeof d->path;
}

#define OWN_FILES "/proc/self/fd"

/* Opens the temporary file. Where the file system has files without a name, it gets its name at the end only: it then
 * goes with its process, whatever ends that. Returns false with errno. */
static bool open_part(struct tw__new_file *d)
{
	char folder[sizeof d->path];
	const char *slash = strrchr(d->path, '/');
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - d->path) : 1, slash ? d->path : ".");
	int file = access(OWN_FILES, X_OK) == 0 ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
	d->has_name = file < 0;
	d->f = d->has_name ? fopen(d->path, "we") : fdopen(file, "w");
	if (!d->f && !d->has_name)
		close(file);
	return d->f;
}

/* Syncs the temporary file, and gives it its final name. A file without a name gets that one at once. If there is a
 * file to replace, it has the temporary name for a moment, which a signal may leave. Returns 0 or an errno. */
static int publish(struct tw__new_file *d)
{
	char own[sizeof OWN_FILES + 16];
	snprintf(own, sizeof own, OWN_FILES "/%d", fileno(d->f));
	if (fsync(fileno(d->f)) < 0)
		return errno;
	if (!d->has_name || d->rule != TW__REPLACE) {
		const char *from = d->has_name ? d->path : own;
		d->is_made = linkat(AT_FDCWD, from, AT_FDCWD, d->final, AT_SYMLINK_FOLLOW) == 0;
		if (d->is_made || errno != EEXIST || d->rule != TW__REPLACE)
			return d->is_made || (errno == EEXIST && d->rule == TW__KEEP) ? 0 : errno;
		if (linkat(AT_FDCWD, own, AT_FDCWD, d->path, AT_SYMLINK_FOLLOW) < 0)
			return errno;
		d->has_name = true;
	}
	if (rename(d->path, d->final) < 0)
		return errno;
	d->is_made = true;
	d->has_name = false;
	return 0;
}

int tw__new_file_in(struct tw__new_file *d, const char *option, const char *folder, const char *name,
                    struct tw_error *err)
{
	char slashed[sizeof d->final];
	int length = snprintf(slashed, sizeof slashed, "%s/", folder);
	if (length < 0 || (size_t)length >= sizeof slashed || !set_paths(d, slashed, length, name))
		return tw_fail(err, TW_INVALID, "%s '%.200s...': expected a shorter path", option, folder);
	return open_part(d) ? TW_OK
	                    : tw_fail(err, TW_INVALID, "%s '%.300s': %s: expected a folder that can be written to",
	                              option, folder, strerror(errno));
}

static int open_in_place(struct tw__new_file *d, const char *path, struct tw_error *err)
{
	d->path[0] = '\0';
	snprintf(d->final, sizeof d->final, "%s", path);
	d->f = fopen(path, "we");
	return d->f ? TW_OK : cannot_write(d, errno, err);
}

int tw__new_file_open(struct tw__new_file *d, const char *path, struct tw_error *err)
{
	struct stat old;
	bool there = stat(path, &old) == 0;
	if (there && (!S_ISREG(old.st_mode) || old.st_nlink == 0 || access(path, W_OK) < 0))
		return open_in_place(d, path, err);
	char *real = there ? realpath(path, NULL) : strdup(path); /* of a link, the file is replaced */
	const char *slash = real ? strrchr(real, '/') : NULL;
	int length = slash ? (int)(slash + 1 - real) : 0;
	bool is_short = real && set_paths(d, real, length, real + length);
	free(real);
	if (!is_short || !open_part(d))
		return open_in_place(d, path, err);
	if (there && fchmod(fileno(d->f), old.st_mode & 07777) < 0)
		errno = 0; /* the new file then has the mode of new files */
	return TW_OK;
}

int tw__new_file_end(struct tw__new_file *d)
{
	int reason = tw__flush(d->f);
	if (!reason && *d->path)
		reason = publish(d);
	int closed = tw__close(d->f, false);
	if (closed)
		reason = closed;
	if (*d->path && d->has_name)
		unlink(d->path);
	return reason;
}

int tw__new_file_close(struct tw__new_file *d, struct tw_error *err)
{
	int reason = tw__new_file_end(d);
	return reason ? cannot_write(d, reason, err) : TW_OK;
}

void tw__new_file_drop(struct tw__new_file *d)
{
	fclose(d->f);
	if (*d->path && d->has_name)
		unlink(d->path);
}

int tw__new_file_try(const char *option, const char *folder, const char *name, struct tw_error *err)
{
	struct tw__new_file d;
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return tw_fail(err, TW_INVALID, "%s '%.300s': %s: expected a folder that can be made", option, folder,
		               strerror(errno));
	int status = tw__new_file_in(&d, option, folder, name, err);
	if (status == TW_OK)
		tw__new_file_drop(&d);
	return status;
}
