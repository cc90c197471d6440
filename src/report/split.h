/* Rows in parts, each of which a figure has room for: lines that can be told apart, of one platform. */
#ifndef TW__REPORT_SPLIT_H
#define TW__REPORT_SPLIT_H

#include "experiment/points.h"

/* Rows with one column more: the families of their workloads (see tw__workload_family). Cells are shared but for that column. */
struct tw__families {
	struct tw__rows rows;
	int column;
	char **names; /* [rows] */
};
int tw__families_init(struct tw__families *, const struct tw__rows *, struct tw_error *err);
void tw__families_finish(struct tw__families *);

/* The columns that name a line over the working set: the family in place of the workload. `without`: see tw__point_columns_of. */
int tw__family_columns(const struct tw__families *, const char *const *without, int *columns);

/* How many different rows there are, as far as these columns go; or TW_NOMEM. */
int tw__rows_count(const struct tw__rows *, const int *columns, int n_columns, struct tw_error *err);

enum { TW__MOST_LINES = 12, TW__MANY_CONFIGURATIONS = 8, TW__MAX_SPLITS = 16 };

/* Platforms apart; then by one column after the other, until no part has more than TW__MOST_LINES lines; but where there are many
 * configurations of CPU workers, which one figure shows, by platform alone. */
struct tw__split {
	int n, *part; /* [rows] from 0 */
	int by[TW__MAX_SPLITS], n_by;
	struct tw__rows rows; /* those of one part: see below */
};
/* `over_memory`: lines have all memories of GPUs. */
int tw__split_init(struct tw__split *, const struct tw__families *, bool over_memory, struct tw_error *err);
void tw__split_finish(struct tw__split *);

/* Lets split->rows be those of the i-th part; `name`: what they have in common, as ": mirage, 2 GPUs". */
void tw__split_choose(struct tw__split *, const struct tw__families *, int i, char *name, size_t size);

/* Rows of the workload with most tasks move to the front; returns how many they are. */
int tw__largest_first(struct tw__rows *);

#endif
