/* Splits rows of results into parts for one figure each: rows of one platform, with few enough lines to distinguish. */
#ifndef TW__REPORT_SPLIT_H
#define TW__REPORT_SPLIT_H

#include "plot/families.h"

enum { TW__MOST_LINES = 12, TW__MANY_CONFIGURATIONS = 8, TW__MAX_SPLITS = 16 };

/* A split of rows into parts: by platform, then by one column after the other, until no part has a panel with more than
 * TW__MOST_LINES lines. Eviction policies count only where rows of one policy differ in them. Many configurations of
 * CPU workers share one figure: then rows are split only by platform. */
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
