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
	int line; /* number of the line that has the values */
	char *text;
	size_t capacity;
	int n; /* number of values on the line; 0: the file has ended */
	char *values[TW__STARPU_MAX_FIELDS];
};

/* Opens a text file of StarPU. TW_INVALID: the file cannot be read. */
int tw__starpu_lines_open(struct tw__starpu_lines *, const char *path, struct tw_error *err);
void tw__starpu_lines_close(struct tw__starpu_lines *);

/* Reads the values of the next line that has any. At the end of the file, sets `n` to 0. */
int tw__starpu_lines_next(struct tw__starpu_lines *);

/* Reads the next line, which must have one integer from `least` to `most`. `what`: the meaning of the integer, for
 * messages. */
int tw__starpu_lines_int(struct tw__starpu_lines *, const char *what, long long least, long long most,
                         long long *value);

/* Reads value number `place` of the current line as a number; NaN is accepted. `what`: the meaning of the value, for
 * messages. */
int tw__starpu_lines_real(struct tw__starpu_lines *, int place, const char *what, double *value);

/* Sets an error message that starts with "PATH:LINE: ". Returns TW_INVALID. */
int tw__starpu_lines_fail(struct tw__starpu_lines *, const char *format, ...) TW_PRINTF(2, 3);

#endif
