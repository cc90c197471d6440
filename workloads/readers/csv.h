/* Reads tables of comma-separated values with a header line that names the columns. */
#ifndef READERS_CSV_H
#define READERS_CSV_H

#include "readers/input.h"

enum { TW__CSV_TABLE_COLUMNS = 256 };

struct tw__csv_table {
	struct tw__input *in;
	char *path, *header;
	char *names[TW__CSV_TABLE_COLUMNS]; /* [n_columns] names of the columns; they point into `header` */
	int n_columns;
	bool short_rows;                     /* whether rows may lack their last fields */
	char *values[TW__CSV_TABLE_COLUMNS]; /* [n_columns] fields of the last row read; missing fields are "" */
};

/* Opens the first table of `names`, which NULL ends, that is in the folder, and reads its header line. Returns 1; 0:
 * the folder has none of them; negative: an error. */
int tw__csv_table_open(struct tw__csv_table *, const char *folder, const char *const *names, struct tw_error *err);
void tw__csv_table_close(struct tw__csv_table *);
/* Finds the indices of the columns `names`, which NULL ends. */
int tw__csv_table_columns(const struct tw__csv_table *, const char *const *names, int *columns, struct tw_error *err);
/* Reads the next row of the table into `values`. Returns 1, 0 at the end, or an error. Blanks around fields are
 * dropped, and "NA" becomes "". */
int tw__csv_table_row(struct tw__csv_table *, struct tw_error *err);

#endif
