/* Tables of comma-separated values whose first line names the columns. */
#ifndef READERS_CSV_H
#define READERS_CSV_H

#include "readers/input.h"

enum { TW__CSV_TABLE_COLUMNS = 256 };

struct tw__csv_table {
	struct tw__input *in;
	char *header;
	char *names[TW__CSV_TABLE_COLUMNS]; /* in `header` */
	int n_columns;
	bool short_rows;                     /* rows may lack their last fields; else that is an error */
	char *values[TW__CSV_TABLE_COLUMNS]; /* of the row read last; those that it lacks are "" */
};

/* Reads the header. */
int tw__csv_table_open(struct tw__csv_table *, const char *path, struct tw_error *err);
void tw__csv_table_close(struct tw__csv_table *);
/* -1: there is no such column. */
int tw__csv_table_column(const struct tw__csv_table *, const char *name);
/* The next row: 1: there is one, 0: the table has ended, negative: an error. Fields lose blanks around them, and "NA" is
 * nothing. */
int tw__csv_table_row(struct tw__csv_table *, struct tw_error *err);

#endif
