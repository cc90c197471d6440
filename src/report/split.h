/* Splits rows into parts for one figure each: of one platform, with few enough lines to distinguish. */
#ifndef TW__REPORT_SPLIT_H
#define TW__REPORT_SPLIT_H

#include "experiment/points.h"

/* Rows with an additional column: the family of the workload (see tw__workload_family). All other cells are shared. */
struct tw__families {
	struct tw__rows rows;
	int column;
	char **names; /* [rows] */
};
int tw__families_init(struct tw__families *, const struct tw__rows *, struct tw_error *err);
void tw__families_finish(struct tw__families *);

/* The columns whose values identify one curve of a figure over the working set. The column of families stands for the
 * column `workload`. `without`: see tw__point_columns_of. */
int tw__family_columns(const struct tw__families *, const char *const *without, int *columns);

/* Number of different rows with respect to these columns; or TW_NOMEM. */
int tw__rows_count(const struct tw__rows *, const int *columns, int n_columns, struct tw_error *err);

enum { TW__MOST_LINES = 12, TW__MANY_CONFIGURATIONS = 8, TW__MAX_SPLITS = 16 };

/* Splits by platform, then by one column after the other, until no part has more than TW__MOST_LINES lines. Many
 * configurations of CPU workers share one figure: then only by platform. */
struct tw__split {
	int n, *part; /* [rows] from 0 */
	int by[TW__MAX_SPLITS], n_by;
	struct tw__rows rows; /* those of one part: see below */
};
/* `over_memory`: a line covers all sizes of GPU memory. */
int tw__split_init(struct tw__split *, const struct tw__families *, bool over_memory, struct tw_error *err);
void tw__split_finish(struct tw__split *);

/* Sets split->rows to the rows of part i. `name`: their common values, as ": mirage, 2 GPUs". */
void tw__split_choose(struct tw__split *, const struct tw__families *, int i, char *name, size_t size);

/* Moves rows of the workload with most tasks to the front; returns their number. */
int tw__largest_first(struct tw__rows *);

#endif
