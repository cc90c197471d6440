/* Splits rows of results into parts for one figure each: rows of one platform, with few enough lines to distinguish. */
#ifndef TW__REPORT_SPLIT_H
#define TW__REPORT_SPLIT_H

#include "experiment/points.h"

/* Rows of results with an additional column: the workload without its sizes (see tw__workload_family). The texts of all
 * other cells are shared with the original rows. */
struct tw__families {
	struct tw__rows rows;
	int column;
	char **names; /* [rows] the texts of that column */
};
int tw__families_init(struct tw__families *, const struct tw__rows *, struct tw_error *err);
void tw__families_finish(struct tw__families *);

/* Finds the columns whose values identify one curve of a figure over the working set, and returns their number. The
 * column of families stands for the column `workload`. `without`: see tw__point_columns_of. */
int tw__family_columns(const struct tw__families *, const char *const *without, int *columns);

/* Returns the number of distinct combinations of values that the rows have in these columns; or TW_NOMEM. */
int tw__rows_count(const struct tw__rows *, const int *columns, int n_columns, struct tw_error *err);

enum { TW__MOST_LINES = 12, TW__MANY_CONFIGURATIONS = 8, TW__MAX_SPLITS = 16 };

/* A split of rows into parts: by platform, then by one column after the other, until no part has more than
 * TW__MOST_LINES lines. Many configurations of CPU workers share one figure: then rows are split only by platform. */
struct tw__split {
	int n, *part; /* n parts; part: [rows] number of each row's part, from 0 */
	int by[TW__MAX_SPLITS], n_by;
	struct tw__rows rows; /* the rows of the part that tw__split_choose chose */
};
/* Splits the rows. `over_memory`: for figures in which a line covers all sizes of GPU memory. */
int tw__split_init(struct tw__split *, const struct tw__families *, bool over_memory, struct tw_error *err);
void tw__split_finish(struct tw__split *);

/* Sets split->rows to the rows of part i. `name`: the values by which the part was split off, as in ": mirage, 2
 * GPUs". */
void tw__split_choose(struct tw__split *, const struct tw__families *, int i, char *name, size_t size);

/* Moves the rows of the workload with most tasks to the front; returns their number. */
int tw__largest_first(struct tw__rows *);

#endif
