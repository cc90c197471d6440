/* Files that may be compressed by gzip: written as streams, read line by line. */
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
	/* The rest is private. */
	struct gzFile_s *file;
	char *block;
	size_t next, end, capacity; /* of the block: start of the next line, and end of what was read */
};

/* Opens a file, compressed or not. TW_INVALID: it cannot be read. Finish the lines in any case. */
int tw__lines_open(struct tw__lines *, const char *path, struct tw_error *err);
void tw__lines_finish(struct tw__lines *);

/* Reads the next line; the caller may change its text. Returns 1, or 0 at the end. TW_INVALID: the file is damaged or
 * cut off, or the line has a byte 0 or more than 16 MiB. */
int tw__lines_next(struct tw__lines *);

/* Fails with TW_INVALID: "PATH:LINE: WHAT". */
int tw__lines_fail(const struct tw__lines *, const char *what);

#endif
