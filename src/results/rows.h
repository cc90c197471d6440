/* Results read back from CSV of `tilewright run` or `sweep`, one row per run. Columns are found by name; see
 * docs/reference/results.md. */
#ifndef TW__ROWS_H
#define TW__ROWS_H

#include <limits.h>

#include <tilewright/csv.h>

/* Reads the records of a CSV file one by one. */
enum { TW__MOST_FIELDS = 1000, TW__MOST_BYTES = INT_MAX / 2 };
struct tw__records {
	const char *path;
	char *text, *end;              /* content of the file, with a '\0' at its end; malloc'ed */
	struct tw_csv csv;             /* of the record that was read last; `at` points behind it */
	char *fields[TW__MOST_FIELDS]; /* of that record; they point into the text */
	bool is_last;                  /* whether it stands in the last line, or its fault does */
	bool is_cut;                   /* whether the file's last line lacks its line feed */
};

/* Reads the open file to its end. `path`: its name, for messages; the caller keeps it. TW_INVALID: it cannot be read,
 * or is too large. Call tw__records_finish in any case. */
int tw__records_open(struct tw__records *, const char *path, int fd, struct tw_error *err);
/* Reads the next record. Returns its number of fields, 0 at the end of the file, or an enum
 * tw_csv_fault; `csv.line` is then the line of the fault. */
int tw__records_next(struct tw__records *);
void tw__records_finish(struct tw__records *);

struct tw__rows {
	const char *path; /* path of the file; the caller keeps the string */
	char *text;       /* content of the file; names and cells point into it */
	int n_columns, n_rows;
	char **names;
	char **cells; /* [n_rows * n_columns] text of each cell, row by row; "" for unknown values */
	int *lines;   /* [n_rows] line in the file where each row begins, from 1 */
	char **made;  /* [n_made] more texts that names and cells point into: see adapt.h */
	size_t n_made, made_room;
	bool of_validation; /* whether validate-model wrote the rows: see docs/reference/validate-model.md */
};

/* Reads a file of results. TW_INVALID with "FILE:LINE: ..." if the file is malformed: an unfinished quote, a row with
 * too few fields, two columns of one name.
 * An incomplete last line, as a stopped writer leaves it, is left out with a warning. One warning counts unknown
 * columns. */
int tw__rows_read(struct tw__rows *, const char *path, struct tw_error *err);
/* Reads a CSV file whose columns need not be those of results, for tw__rows_adapt. Errors are those of
 * tw__rows_read. */
int tw__rows_read_foreign(struct tw__rows *, const char *path, struct tw_error *err);
void tw__rows_finish(struct tw__rows *);

/* Returns the index of the column `name`; -1: there is no such column. */
int tw__rows_column(const struct tw__rows *, const char *name);
/* Sets `*column` to the index of the column `name`. TW_INVALID: the column is missing; the message says that `what`
 * needs it. */
int tw__rows_need(const struct tw__rows *, const char *name, const char *what, int *column, struct tw_error *err);

/* The same for a name as users write it: that of the column, or of the option that sets it, as in "gpu-mem". */
int tw__rows_find(const struct tw__rows *, const char *name, const char *what, int *column, struct tw_error *err);

/* Returns the text of a cell; "" if `column` is -1. */
const char *tw__rows_text(const struct tw__rows *, int row, int column);
/* The largest number that a cell may have. It exceeds all measured values; ratios and squares of smaller numbers stay
 * finite. */
#define TW__MAX_CELL 1e30

/* Reads a cell as a number; NAN if the cell is empty. TW_INVALID: the cell is no number, is above TW__MAX_CELL, or is
 * negative in a column of results. Values below 1 / TW__MAX_CELL become 0. */
int tw__rows_number(const struct tw__rows *, int row, int column, double *value, struct tw_error *err);

/* Whether a row is of a successful run. */
bool tw__rows_is_ok(const struct tw__rows *, int row);

/* Begins rows that have none yet, but room for all rows of `from`, which must outlive them: its texts are theirs. */
void tw__rows_share(struct tw__rows *, const struct tw__rows *from);
/* Adds a row of `from`. To keep some rows of a file alone, set n_rows to 0, and add each such row to its own file. */
void tw__rows_add(struct tw__rows *, const struct tw__rows *from, int row);

/* Keeps the rows that meet all conditions in `where`, such as "gpus=1,2" or "nt=16". The list ends with NULL; NULL: all
 * rows stay. docs/reference/plots.md says how values may be written. TW_INVALID: a malformed condition, an unknown
 * column, or no row left. */
int tw__rows_where(struct tw__rows *, const char *const *where, struct tw_error *err);

/* Keeps the rows of successful runs that meet all conditions in `where`. Warnings count failed runs and duplicate rows.
 * TW_INVALID: as for tw__rows_where, or no run was successful. */
int tw__rows_choose(struct tw__rows *, const char *const *where, struct tw_error *err);

#endif
