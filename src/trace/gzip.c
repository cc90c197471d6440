#include "trace/gzip.h"

#include <errno.h>
#include <limits.h>
#include <zlib.h>

static ssize_t write_some(void *cookie, const char *text, size_t n)
{
	int wrote = gzwrite(cookie, text, n < INT_MAX ? (unsigned)n : INT_MAX);
	return wrote > 0 ? wrote : 0;
}

static int close_it(void *cookie) { return gzclose(cookie) == Z_OK ? 0 : EOF; }

static ssize_t read_some(void *cookie, char *text, size_t n)
{
	int got = gzread(cookie, text, n < INT_MAX ? (unsigned)n : INT_MAX), state = Z_OK;
	if (got <= 0)
		gzerror(cookie, &state); /* a file that is cut off only has its state */
	if (state < 0 && state != Z_ERRNO)
		errno = EBADMSG;
	return state < 0 ? -1 : got;
}

FILE *tw__gzip_read(const char *path)
{
	errno = ENOMEM;
	gzFile gz = gzopen(path, "rbe");
	if (!gz)
		return NULL;
	gzbuffer(gz, 1 << 16);
	FILE *f = fopencookie(gz, "r", (cookie_io_functions_t){.read = read_some, .close = close_it});
	if (!f)
		gzclose(gz);
	return f;
}

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
