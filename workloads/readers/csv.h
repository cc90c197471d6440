/* Tables of comma-separated values with a header line that names the columns. */
#ifndef READERS_CSV_H
#define READERS_CSV_H

#include "readers/input.h"

enum { TW__CSV_TABLE_COLUMNS = 256 };

struct tw__csv_table {
	struct tw__input *in;
	char *header;
	char *names[TW__CSV_TABLE_COLUMNS]; /* in `header` */
	int n_columns;
	bool short_rows;                     /* true: rows may lack their last fields */
	char *values[TW__CSV_TABLE_COLUMNS]; /* of the last row; missing fields are "" */
};

/* Opens the file and reads the header. */
int tw__csv_table_open(struct tw__csv_table *, const char *path, struct tw_error *err);
void tw__csv_table_close(struct tw__csv_table *);
/* The index of a column; -1: there is no such column. */
int tw__csv_table_column(const struct tw__csv_table *, const char *name);
/* Reads the next row. Returns 1, 0 at the end, or an error. Blanks around fields are dropped, and "NA" becomes "". */
int tw__csv_table_row(struct tw__csv_table *, struct tw_error *err);

#endif
