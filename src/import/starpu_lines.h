/* StarPU's text files, a line of values at a time: comments (from '#' to the end of the line) and blank lines passed over. */
#ifndef TW__STARPU_LINES_H
#define TW__STARPU_LINES_H

#include <stdio.h>

#include <tilewright/base.h>

enum { TW__STARPU_MAX_FIELDS = 512 };

struct tw__starpu_lines {
	FILE *file;
	const char *path;
	struct tw_error *err;
	int line; /* of the values */
	char *text;
	size_t capacity;
	int n; /* values */
	char *values[TW__STARPU_MAX_FIELDS];
};

/* TW_INVALID: cannot be read. */
int tw__starpu_lines_open(struct tw__starpu_lines *, const char *path, struct tw_error *err);
void tw__starpu_lines_close(struct tw__starpu_lines *);

/* The next values. At the end of the file there are none: `n` is 0. */
int tw__starpu_lines_next(struct tw__starpu_lines *);

/* The next line has one value, an integer within these bounds; `what` is for the message. */
int tw__starpu_lines_int(struct tw__starpu_lines *, const char *what, long long least, long long most,
                         long long *value);

/* One of the values of the present line; NaN is a number here. */
int tw__starpu_lines_real(struct tw__starpu_lines *, int place, const char *what, double *value);

/* TW_INVALID with "PATH:LINE: ..." */
int tw__starpu_lines_fail(struct tw__starpu_lines *, const char *format, ...) TW_PRINTF(2, 3);

#endif
