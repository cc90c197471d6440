/* Files that may be compressed by gzip: written as streams, read line by line, or as bytes. */
#ifndef TW__GZIP_H
#define TW__GZIP_H

#include <stdio.h>

#include <tilewright/base.h>

/* Opens a compressed file for writing. Its fclose() fails if any write has failed. Equal texts give equal files. NULL:
 * failed, see errno. */
FILE *tw__gzip_open(const char *path);

struct tw__lines {
	const char *path; /* for messages; belongs to the caller */
	long number;      /* of the current line, from 1 */
	char *text;       /* the current line, without line break */
	struct tw_error *err;
	bool is_binary; /* set by the caller: messages name bytes, not lines */
	/* The rest is private. */
	struct gzFile_s *file;
	char *block;
	size_t next, end, capacity; /* of the block: start of the next line, and end of what was read */
	size_t before;              /* bytes of the file before the block */
	size_t byte;                /* where the current line, or what was skipped to, begins in the file */
};

enum { TW__BYTES_BEHIND = 64 };

/* Opens a file, compressed or not. TW_INVALID: it cannot be read. Finish the lines in any case. */
int tw__lines_open(struct tw__lines *, const char *path, struct tw_error *err);
void tw__lines_finish(struct tw__lines *);

/* Reads the next line; the caller may change its text. Returns 1, or 0 at the end. TW_INVALID: the file is damaged or
 * cut off, or the line has a byte 0 or more than 16 MiB. */
int tw__lines_next(struct tw__lines *);

/* Looks at the bytes behind the current line: `least` of them, or all that are left, or more. Behind them,
 * TW__BYTES_BEHIND more may be read, which are 0. They are valid until the next call. TW_INVALID: as above. */
int tw__lines_ahead(struct tw__lines *, size_t least, const unsigned char **bytes, size_t *n);

/* Skips bytes that were looked at. */
void tw__lines_skip(struct tw__lines *, size_t n);

/* Fail with TW_INVALID: "PATH:LINE: WHAT", or "PATH: byte N: WHAT"; the second one with "expected WHAT". */
int tw__lines_fail(const struct tw__lines *, const char *what);
int tw__lines_expected(const struct tw__lines *, const char *what);

#endif
