/* Families of workloads: workloads that differ in their sizes alone. */
#ifndef TW__PLOT_FAMILIES_H
#define TW__PLOT_FAMILIES_H

#include "results/points.h"

/* Rows of results with an additional column: the workload without its sizes (see tw__workload_family). The texts of all
 * other cells are shared with the original rows. */
struct tw__families {
	struct tw__rows rows;
	int column;
	char **names; /* [rows] the texts of that column */
};
/* `size`: see tw__workload_family. */
int tw__families_init(struct tw__families *, const struct tw__rows *, const char *size, struct tw_error *err);
void tw__families_finish(struct tw__families *);

/* Finds the columns whose values identify one curve of a figure over the working set, and returns their number. The
 * column of families stands for the column `workload`. `without`: see tw__point_columns_of. */
int tw__family_columns(const struct tw__families *, const char *const *without, int *columns);

/* Returns the number of distinct combinations of values that the rows have in these columns; or TW_NOMEM. */
int tw__rows_count(const struct tw__rows *, const int *columns, int n_columns, struct tw_error *err);

#endif
