/* Reads StarPU's text files line by line. Skips comments, from '#' to the end of the line, and blank lines. */
#ifndef TW__STARPU_LINES_H
#define TW__STARPU_LINES_H

#include <stdio.h>

#include <tilewright/base.h>

enum { TW__STARPU_MAX_FIELDS = 512 };

struct tw__starpu_lines {
	FILE *file;
	const char *path;
	struct tw_error *err;
	int line; /* line number of the values */
	char *text;
	size_t capacity;
	int n; /* number of values */
	char *values[TW__STARPU_MAX_FIELDS];
};

/* TW_INVALID: the file cannot be read. */
int tw__starpu_lines_open(struct tw__starpu_lines *, const char *path, struct tw_error *err);
void tw__starpu_lines_close(struct tw__starpu_lines *);

/* Reads the next values. At the end of the file `n` is 0. */
int tw__starpu_lines_next(struct tw__starpu_lines *);

/* Reads a line with one integer within these bounds; `what` is for the message. */
int tw__starpu_lines_int(struct tw__starpu_lines *, const char *what, long long least, long long most,
                         long long *value);

/* A value of the current line as a number; NaN is accepted. */
int tw__starpu_lines_real(struct tw__starpu_lines *, int place, const char *what, double *value);

/* TW_INVALID with "PATH:LINE: ..." */
int tw__starpu_lines_fail(struct tw__starpu_lines *, const char *format, ...) TW_PRINTF(2, 3);

#endif
