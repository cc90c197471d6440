/* Results read back from CSV of `tilewright run` or `sweep`, one row per run. Columns are found by name; see
 * docs/reference/results.md. */
#ifndef TW__ROWS_H
#define TW__ROWS_H

#include <tilewright/base.h>

struct tw__rows {
	const char *path; /* the caller's */
	char *text;       /* the file; names and cells point into it */
	int n_columns, n_rows;
	char **names;
	char **cells; /* [n_rows * n_columns], "" for unknown values */
	int *lines;   /* [n_rows] line in the file where each row begins, from 1 */
	char **made;  /* [n_made] more texts that names and cells point into: see adapt.h */
	size_t n_made, made_room;
	bool of_validation; /* rows of validate-model: see docs/reference/validate-model.md */
};

/* TW_INVALID with "FILE:LINE: ..." for a malformed file: an unfinished quote, a row with too few fields, two columns of
 * one name.
 * An incomplete last line, as a stopped writer leaves it, is left out with a warning. One warning counts unknown
 * columns. */
int tw__rows_read(struct tw__rows *, const char *path, struct tw_error *err);
/* The same for a file without any column of results, to be adapted. */
int tw__rows_read_foreign(struct tw__rows *, const char *path, struct tw_error *err);
void tw__rows_finish(struct tw__rows *);

/* -1: there is none. */
int tw__rows_column(const struct tw__rows *, const char *name);
/* The same, with TW_INVALID if the column is missing. `what` needs it, for the message. */
int tw__rows_need(const struct tw__rows *, const char *name, const char *what, int *column, struct tw_error *err);

/* "" if the column is -1. */
const char *tw__rows_text(const struct tw__rows *, int row, int column);
/* Larger than all measured values; ratios and squares of smaller values stay finite. */
#define TW__MAX_CELL 1e30

/* NAN for an empty cell. TW_INVALID: no number, above TW__MAX_CELL, or negative in a column of results. Values below 1
 * / TW__MAX_CELL become 0. */
int tw__rows_number(const struct tw__rows *, int row, int column, double *value, struct tw_error *err);

/* Keeps the rows that all of `where` accept: "gpus=1,2"; ends with NULL, NULL: all. TW_INVALID: malformed text, unknown
 * column, or no row left. */
int tw__rows_where(struct tw__rows *, const char *const *where, struct tw_error *err);

/* Keeps those of successful runs. Warnings count failed runs and duplicate rows. Errors as above. */
int tw__rows_choose(struct tw__rows *, const char *const *where, struct tw_error *err);

#endif
