#include "trace/gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static ssize_t write_some(void *cookie, const char *text, size_t n)
{
	int wrote = gzwrite(cookie, text, n < INT_MAX ? (unsigned)n : INT_MAX);
	return wrote > 0 ? wrote : 0;
}

static int close_it(void *cookie) { return gzclose(cookie) == Z_OK ? 0 : EOF; }

FILE *tw__gzip_open(const char *path)
{
	errno = ENOMEM; /* for failed allocations of zlib, which do not set errno */
	/* Uses the fastest level of compression: tables are so repetitive that higher levels gain little. */
	gzFile gz = gzopen(path, "wbe1");
	if (!gz)
		return NULL;
	gzbuffer(gz, 1 << 16);
	FILE *f = fopencookie(gz, "w", (cookie_io_functions_t){.write = write_some, .close = close_it});
	if (!f)
		gzclose(gz);
	return f;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Tilewright writes no line that is longer than the names of all workers together. */
enum { MOST_LINE_BYTES = 16 << 20 };

int tw__lines_open(struct tw__lines *l, const char *path, struct tw_error *err)
{
	*l = (struct tw__lines){.path = path, .err = err, .file = gzopen(path, "rbe")};
	if (!l->file)
		return tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path, strerror(errno ? errno : ENOMEM));
	gzbuffer(l->file, 1 << 17);
	return TW_OK;
}

void tw__lines_finish(struct tw__lines *l)
{
	if (l->file)
		gzclose(l->file);
	free(l->block);
}

static int fail(const struct tw__lines *l, const char *first, const char *what)
{
	if (l->is_binary)
		return tw_fail(l->err, TW_INVALID, "%s: byte %zu: %s%s", l->path, l->byte, first, what);
	return tw_fail(l->err, TW_INVALID, "%s:%ld: %s%s", l->path, l->number + (l->number == 0), first, what);
}

int tw__lines_fail(const struct tw__lines *l, const char *what) { return fail(l, "", what); }

int tw__lines_expected(const struct tw__lines *l, const char *what) { return fail(l, "expected ", what); }

static int unreadable(struct tw__lines *l)
{
	int status;
	const char *why = gzerror(l->file, &status);
	if (status == Z_OK || status == Z_STREAM_END)
		return TW_OK;
	size_t length = strlen(l->path);
	if (!strncmp(why, l->path, length) && !strncmp(why + length, ": ", 2)) /* zlib names the file, too */
		why += length + 2;
	return fail(l, "cannot be read: ",
	            status == Z_ERRNO       ? strerror(errno)
	            : status == Z_BUF_ERROR ? "the compressed file is cut off"
	                                    : why);
}

/* Reads a block behind what is left of the last one. Returns 1, 0 at the end of the file, or an error. */
static int read_block(struct tw__lines *l)
{
	enum { BLOCK = 1 << 17 };
	l->end -= l->next;
	if (l->end)
		memmove(l->block, l->block + l->next, l->end);
	l->before += l->next;
	l->next = 0;
	if (l->end >= MOST_LINE_BYTES)
		return tw__lines_fail(l, "a line of more than 16 MiB");
	TW_RESERVE(l->block, l->capacity, l->end + BLOCK + TW__BYTES_BEHIND);
	int n = gzread(l->file, l->block + l->end, BLOCK);
	l->end += n > 0 ? (size_t)n : 0;
	memset(l->block + l->end, 0, TW__BYTES_BEHIND);
	return n > 0 ? 1 : unreadable(l);
}

int tw__lines_next(struct tw__lines *l)
{
	char *end = NULL;
	int status = 1;
	l->number++;
	l->byte = l->before + l->next;
	for (size_t seen = 0; status == 1 && !end;) {
		end = l->next + seen < l->end ? memchr(l->block + l->next + seen, '\n', l->end - l->next - seen) : NULL;
		seen = l->end - l->next;
		if (!end)
			status = read_block(l);
	}
	if (status < 0 || (!end && l->next == l->end))
		return status < 0 ? status : 0;
	l->text = l->block + l->next;
	size_t n = (end ? (size_t)(end - l->block) : l->end) - l->next;
	l->next += n + (end != NULL);
	if (memchr(l->text, '\0', n))
		return tw__lines_fail(l, "a zero byte: expected text");
	while (n && l->text[n - 1] == '\r')
		n--;
	l->text[n] = '\0';
	return 1;
}

int tw__lines_ahead(struct tw__lines *l, size_t least, const unsigned char **bytes, size_t *n)
{
	int status = 1;
	while (status == 1 && l->end - l->next < least)
		status = read_block(l);
	*bytes = (const unsigned char *)l->block + l->next;
	*n = l->end - l->next;
	return status < 0 ? status : TW_OK;
}

void tw__lines_skip(struct tw__lines *l, size_t n)
{
	l->next += n;
	l->byte = l->before + l->next;
}
