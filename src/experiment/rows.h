/* Results read back: what tilewright run and sweep wrote as CSV, one row per run. Columns go by their names; see docs/reference/results.md. */
#ifndef TW__ROWS_H
#define TW__ROWS_H

#include <tilewright/base.h>

struct tw__rows {
	const char *path; /* the caller's */
	char *text;       /* the file; names and cells point into it */
	int n_columns, n_rows;
	char **names;
	char **cells; /* [n_rows * n_columns], "" for what is not known */
	int *lines;   /* [n_rows] where each begins, from 1 */
	char **made;  /* [n_made] what names and cells point into besides: see adapt.h */
	size_t n_made, made_room;
	bool of_validation; /* rows of validate-model: see docs/evidence/validation.md */
};

/* TW_INVALID with "FILE:LINE: ..." for whatever is no such file: an unfinished quote, a row of too few fields, two columns of one
 * name. A last line that lacks its end and some of its fields, as a machine that stops leaves it, is left out with a warning;
 * columns that this version does not know are counted in one. */
int tw__rows_read(struct tw__rows *, const char *path, struct tw_error *err);
/* The same of a file that may have no column of ours, as it will be adapted. */
int tw__rows_read_foreign(struct tw__rows *, const char *path, struct tw_error *err);
void tw__rows_finish(struct tw__rows *);

/* -1: there is none. */
int tw__rows_column(const struct tw__rows *, const char *name);
/* The same, where it is needed for `what`: TW_INVALID if there is none. */
int tw__rows_need(const struct tw__rows *, const char *name, const char *what, int *column, struct tw_error *err);

/* "" where the column is -1. */
const char *tw__rows_text(const struct tw__rows *, int row, int column);
/* Nothing that is measured is greater, and ratios and squares of what is smaller are numbers. */
#define TW__MAX_CELL 1e30

/* NAN for what is not known; TW_INVALID for what is no number, greater than TW__MAX_CELL, or below 0 in a column of ours. What is
 * smaller than 1 / TW__MAX_CELL is 0. */
int tw__rows_number(const struct tw__rows *, int row, int column, double *value, struct tw_error *err);

/* Keeps the rows that all of `where` admit ("gpus=1,2"; NULL at its end, NULL: all). TW_INVALID for what is no such choice, a column
 * that is not there, or if no row is left. */
int tw__rows_where(struct tw__rows *, const char *const *where, struct tw_error *err);

/* Keeps those, of runs that ended well; a warning counts those
 * that failed, others those that are there twice. Errors as above. */
int tw__rows_choose(struct tw__rows *, const char *const *where, struct tw_error *err);

#endif
