/* A reader of an untrusted file of comma-separated text with a header line, such as kernels.csv and samples.csv. Blank
 * lines and lines that start with '#' are comments; a byte order mark and CR LF are accepted. */
#ifndef TW__PERF_TABLE_H
#define TW__PERF_TABLE_H

#include <stdio.h>

#include <tilewright/base.h>

enum { TW__TABLE_COLUMNS = 16, TW__MOST_NAME = 255 /* bytes of a name */ };

struct tw__table {
	const char *path, *content; /* content: what the file has, for messages, as in "kernel times" */
	const char *header;         /* the complete header line that the file must have */
	const char *const *others;  /* headers that it may have instead, up to NULL; `header` becomes its own */
	const char *more;           /* a further column that the file may have; NULL: none */
	int n_columns;              /* of the header; `more` leaves out; set by the reader */
	/* Handles a row; returns TW_OK or an error. fields[n_columns] is that of `more`; NULL: the file lacks it. */
	int (*add)(struct tw__table *, char **fields);
	void *context; /* the caller's pointer, for `add` */
	struct tw_error *err;
	int line; /* number of the line of the current row */
	bool seen_header, has_more;
};

/* Reads the file and calls `add` for each row. The caller fills path, content, header, others, more, add,
 * context and err. */
int tw__table_read(struct tw__table *);

/* Returns TW_INVALID, with the message "PATH:LINE: ...". */
int tw__table_fail(const struct tw__table *, const char *format, ...) TW_PRINTF(2, 3);

/* Parsers of one field: microseconds, at most TW_MAX_SECONDS; a whole number; a name of 1 to 255 bytes. `what` names
 * the column in messages. */
int tw__table_us(const struct tw__table *, double *us, const char *what, const char *text, bool may_be_0);
int tw__table_count(const struct tw__table *, int64_t *count, const char *what, const char *text, int64_t least,
                    int64_t most);
int tw__table_name(const struct tw__table *, const char *what, const char *text);

/* Writes the first columns of a row of kernels.csv or samples.csv, and a comma. */
void tw__table_put_names(FILE *, const char *kernel, const char *arch, int cores, const char *size,
                         const char *precision);

#endif
