/* More columns for rows of results: those of a table from elsewhere (a real node, another simulator) get Tilewright's
 * names, and parameters of workloads become columns. */
#ifndef TW__ADAPT_H
#define TW__ADAPT_H

#include "results/rows.h"

/* The user's options --column, --value and --scale, applied in this order. Each list ends with NULL; a NULL pointer is
 * an empty list. */
struct tw__adaptation {
	/* --column "workload=matmul2d:nt={tiles}": makes or replaces a column from other columns */
	const char *const *columns;
	const char *const *values; /* --value "policy:heft=dmda": renames heft to dmda in the column `policy` */
	const char *const *scales; /* --scale "makespan_s=0.001": multiplies the numbers of a column */
};

/* Applies the user's options to the rows. TW_INVALID: an option is malformed, names an unknown column, or renames a
 * value that no row has. Or a cell to multiply is no number. */
int tw__rows_adapt(struct tw__rows *, const struct tw__adaptation *, struct tw_error *err);

/* As tw__rows_find. A parameter of the rows' workloads counts as a column, too: such a column is then made. A cell is
 * empty where the workload has no such parameter. */
int tw__rows_find_or_make(struct tw__rows *, const char *name, const char *what, int *column, struct tw_error *err);

/* Makes or replaces the column `name`. `make` makes its cells, malloc'ed, from those of the column `from`. Returns the
 * index of the column. */
int tw__rows_make(struct tw__rows *, const char *name, const char *from,
                  char *(*make)(const char *cell, const char *context), const char *context);

#endif
