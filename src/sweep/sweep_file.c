/* The output file of a sweep: its rows, and new ones, which are appended. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/wall.h"
#include "process/fork.h"
#include "request/identity.h"
#include "results/rows.h"
#include "sweep/sweep.h"

/* --- the rows that are there -------------------------------------------------------------------------------------- */

/* The indices of the columns that are read, and the number of columns. */
struct layout {
	int n, status, version, identity;
};

/* Reads the first line, which must be the header. The reader stays at the begin if even the header is incomplete. */
static int read_header(struct tw__kept *rows, struct tw__records *r, const char *header, struct layout *layout,
                       struct tw_error *err)
{
	size_t bytes = strlen(header), there = (size_t)(r->end - r->text);
	if (memcmp(r->text, header, there < bytes ? there : bytes) != 0) {
		int length = (int)strcspn(r->text, "\n");
		return tw_fail(err, TW_INVALID,
		               "%.200s:1: '%.*s': expected the columns that this command writes (version %s): give a "
		               "new file",
		               r->path, length < 60 ? length : 60, r->text, tw__results_version());
	}
	if (there < bytes) {
		snprintf(rows->dropped, sizeof rows->dropped, "%s", there ? "line 1 is cut" : "");
		r->csv.at = r->end;
		return TW_OK;
	}
	rows->whole_bytes = (int64_t)bytes;
	layout->n = tw__records_next(r);
	for (int i = 0; i < layout->n; i++) {
		int *place = !strcmp(r->fields[i], "status")     ? &layout->status
		             : !strcmp(r->fields[i], "version")  ? &layout->version
		             : !strcmp(r->fields[i], "identity") ? &layout->identity
		                                                 : NULL;
		if (place)
			*place = i;
	}
	return TW_OK;
}

/* Returns what is wrong with the record just read; NULL: nothing. */
static const char *wrong(const struct tw__records *r, int n, const struct layout *layout)
{
	if (r->is_last && r->is_cut)
		return "it is cut";
	if (n < 0)
		return tw_csv_why(n);
	if (n != layout->n)
		return n < layout->n ? "it has too few columns" : "it has too many columns";
	const char *identity = r->fields[layout->identity], *status = r->fields[layout->status];
	if (strlen(identity) != TW__DIGEST_TEXT - 1 || strspn(identity, "0123456789abcdef") != TW__DIGEST_TEXT - 1)
		return "its identity is malformed";
	return strcmp(status, "ok") != 0 && strcmp(status, "failed") != 0 ? "its status is neither ok nor failed"
	                                                                  : NULL;
}

/* Reads the keys of all rows. */
static int read_rows(struct tw__kept *rows, struct tw__records *r, const struct layout *layout, struct tw_error *err)
{
	for (int n; (n = tw__records_next(r)) != 0;) {
		const char *why = wrong(r, n, layout);
		int line = r->csv.first_line;
		if (why && r->is_last) {
			snprintf(rows->dropped, sizeof rows->dropped, "line %d is damaged (%s)", line, why);
			return TW_OK;
		}
		if (why)
			return tw_fail(
				err, TW_INVALID,
				"%.200s:%d: the line is damaged (%s): expected a row of results; nothing was changed",
				r->path, line, why);
		if (strcmp(r->fields[layout->version], tw__results_version()) != 0)
			return tw_fail(
				err, TW_INVALID,
				"%.200s:%d: version '%.40s': expected %s, as rows of several versions must not be "
				"mixed: give a new file",
				r->path, line, r->fields[layout->version], tw__results_version());
		TW_RESERVE(rows->keys, rows->capacity, rows->n + 1);
		struct tw__row_key *key = &rows->keys[rows->n++];
		*key = (struct tw__row_key){.failed = *r->fields[layout->status] == 'f', .line = line};
		memcpy(key->identity, r->fields[layout->identity], sizeof key->identity);
		rows->whole_bytes = r->csv.at - r->text;
	}
	return TW_OK;
}

static int by_identity(const void *a, const void *b)
{
	return strcmp(((const struct tw__row_key *)a)->identity, ((const struct tw__row_key *)b)->identity);
}

static int by_identity_and_line(const void *a, const void *b)
{
	const struct tw__row_key *left = a, *right = b;
	int order = by_identity(a, b);
	return order ? order : (left->line > right->line) - (left->line < right->line);
}

/* Sorts the keys by identity; of several with one identity, only the last in the file stays. */
static void sort(struct tw__kept *rows)
{
	size_t kept = 0;
	qsort(rows->keys, rows->n, sizeof *rows->keys, by_identity_and_line);
	for (size_t i = 0; i < rows->n; i++)
		if (i + 1 == rows->n || strcmp(rows->keys[i].identity, rows->keys[i + 1].identity) != 0)
			rows->keys[kept++] = rows->keys[i];
	rows->n = kept;
}

int tw__kept_read(struct tw__kept *rows, int fd, const char *path, const char *header, struct tw_error *err)
{
	struct tw__records r;
	struct layout layout = {0};
	*rows = (struct tw__kept){0};
	int status = tw__records_open(&r, path, fd, err);
	if (status == TW_OK)
		status = read_header(rows, &r, header, &layout, err);
	if (status == TW_OK)
		status = read_rows(rows, &r, &layout, err);
	if (status == TW_OK && rows->n)
		sort(rows);
	tw__records_finish(&r);
	if (status < 0)
		tw__kept_finish(rows);
	return status;
}

const struct tw__row_key *tw__kept_find(const struct tw__kept *rows, const char *identity)
{
	struct tw__row_key key;
	memcpy(key.identity, identity, sizeof key.identity);
	return rows->n ? bsearch(&key, rows->keys, rows->n, sizeof *rows->keys, by_identity) : NULL;
}

void tw__kept_finish(struct tw__kept *rows)
{
	free(rows->keys);
	*rows = (struct tw__kept){0};
}

/* --- new rows ----------------------------------------------------------------------------------------------------- */

static int cannot(const struct tw__results_file *file, const char *what, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "--output '%.300s': %s: expected a file that can be %s", file->path,
	               strerror(errno), what);
}

/* Locks the file for this process, with fcntl: forked children do not inherit the lock. It ends with the process, even
 * after kill -9. */
static int lock(const struct tw__results_file *file, struct tw_error *err)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	if (fcntl(file->fd, F_SETLK, &all) == 0)
		return TW_OK;
	if (errno != EACCES && errno != EAGAIN)
		return cannot(file, "locked", err);
	struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char who[40] = "";
	if (fcntl(file->fd, F_GETLK, &other) == 0 && other.l_type != F_UNLCK && other.l_pid > 0)
		snprintf(who, sizeof who, ", process %ld,", (long)other.l_pid);
	return tw_fail(err, TW_INVALID, "--output '%.300s': another sweep%s writes it: expected one at a time",
	               file->path, who);
}

/* Syncs the file's folder to disk, as the folder holds the name of a new file. */
static void sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = tw_format("%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)!fsync(fd); /* some file systems cannot sync folders */
		close(fd);
	}
	free(folder);
}

/* Cuts off the incomplete end of the file, and writes the header if the file lacks it. */
static int prepare(struct tw__results_file *file, const struct tw__kept *rows, const char *header, struct tw_error *err)
{
	file->bytes = rows->whole_bytes;
	if (*rows->dropped && ftruncate(file->fd, (off_t)rows->whole_bytes) < 0)
		return cannot(file, "cut", err);
	if (rows->whole_bytes > 0)
		return TW_OK;
	int status = tw__results_append(file, header, strlen(header), err);
	sync_folder(file->path);
	return status;
}

int tw__results_open(struct tw__results_file *file, const char *path, const char *header, struct tw__kept *rows,
                     struct tw_error *err)
{
	*rows = (struct tw__kept){0};
	*file = (struct tw__results_file){.path = path,
	                                  .fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
	if (file->fd < 0)
		return cannot(file, "written", err);
	struct stat about;
	int status = TW_OK;
	tw__hide(file->fd); /* a plug-in could write into it */
	if (fstat(file->fd, &about) < 0 || !S_ISREG(about.st_mode))
		status = tw_fail(err, TW_INVALID,
		                 "--output '%.300s': expected a regular file, which a sweep can resume", path);
	if (status == TW_OK)
		status = lock(file, err);
	if (status == TW_OK)
		status = tw__kept_read(rows, file->fd, path, header, err);
	if (status == TW_OK)
		status = prepare(file, rows, header, err);
	if (status < 0) {
		tw__kept_finish(rows);
		tw__results_close(file);
	}
	return status;
}

/* Writes the text to the file, in one call if possible. Returns the bytes written; if fewer than `bytes`, errno has the
 * reason. */
static size_t put(int fd, const char *text, size_t bytes)
{
	size_t done = 0;
	while (done < bytes) {
		ssize_t n = write(fd, text + done, bytes - done);
		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	return done;
}

static int cannot_write(const struct tw__results_file *file, int reason, struct tw_error *err)
{
	return tw_fail(
		err, TW_FAILED,
		"--output '%.200s': cannot be written: %s: expected space for more rows; earlier rows are kept, and "
		"the same command continues",
		file->path, strerror(reason));
}

/* Checks that the file is still there under its name, with the rows of this sweep alone. Otherwise rows would be lost:
 * the lock does not keep other programs away. */
static int check_untouched(const struct tw__results_file *file, struct tw_error *err)
{
	struct stat own, named;
	const char *what = NULL;
	if (fstat(file->fd, &own) < 0 || own.st_size != file->bytes)
		what = "was changed by another program";
	else if (stat(file->path, &named) < 0)
		what = "was removed";
	else if (named.st_ino != own.st_ino || named.st_dev != own.st_dev)
		what = "was replaced by another file";
	return what ? tw_fail(err, TW_FAILED,
	                      "--output '%.200s': %s during the sweep: expected it to stay as it is; the same command "
	                      "continues",
	                      file->path, what)
	            : TW_OK;
}

int tw__results_append(struct tw__results_file *file, const char *text, size_t bytes, struct tw_error *err)
{
	int status = check_untouched(file, err);
	if (status < 0)
		return status;
	if (put(file->fd, text, bytes) < bytes) {
		int reason = errno;
		if (ftruncate(file->fd, (off_t)file->bytes) < 0)
			tw_log(TW_LOG_WARNING, "'%s': its last line is cut; the next sweep drops it", file->path);
		return cannot_write(file, reason, err);
	}
	file->bytes += (int64_t)bytes;
	file->unsynced = true;
	return tw__wall_s() - file->synced_s >= 1 ? tw__results_sync(file, err) : TW_OK;
}

int tw__results_sync(struct tw__results_file *file, struct tw_error *err)
{
	if (!file->unsynced)
		return TW_OK;
	int status = fdatasync(file->fd);
	file->synced_s = tw__wall_s();
	file->unsynced = false;
	if (status < 0 && errno != EINVAL && errno != EROFS) /* EINVAL, EROFS: this file system cannot sync */
		return cannot_write(file, errno, err);
	return TW_OK;
}

void tw__results_close(struct tw__results_file *file)
{
	if (file->fd >= 0)
		tw__close_hidden(file->fd);
	file->fd = -1;
}
