/* A file of comma-separated text with a header, from anywhere: kernels.csv, samples.csv. Lines that begin with '#' and blank ones are
 * comments; a byte order mark and CR LF do no harm. */
#ifndef TW__PERF_TABLE_H
#define TW__PERF_TABLE_H

#include <stdio.h>

#include <tilewright/base.h>

enum { TW__TABLE_COLUMNS = 16 };

struct tw__table {
	const char *path, *header; /* the header line, all of it */
	int n_columns;
	int (*add)(struct tw__table *, char **fields); /* a row; TW_OK or an error */
	void *context;                                 /* for `add` */
	struct tw_error *err;
	int line; /* of the row */
	bool seen_header;
};

/* Calls `add` for each row. The caller fills path, header, n_columns, add, context and err. */
int tw__table_read(struct tw__table *);

/* TW_INVALID with "PATH:LINE: ..." */
int tw__table_fail(const struct tw__table *, const char *format, ...) TW_PRINTF(2, 3);
int tw__table_no_memory(const struct tw__table *);

/* Microseconds, at most TW_MAX_SECONDS; a whole number; a name, text of 1 to 255 bytes. `what` is for messages. */
int tw__table_us(const struct tw__table *, double *us, const char *what, const char *text, bool may_be_0);
int tw__table_count(const struct tw__table *, int64_t *count, const char *what, const char *text, int64_t least,
                    int64_t most);
int tw__table_name(const struct tw__table *, const char *what, const char *text);

/* Writes what such a row begins with, and a comma. */
void tw__table_put_names(FILE *, const char *kernel, const char *arch, int cores, const char *size,
                         const char *precision);

#endif
