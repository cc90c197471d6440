/* Cells of the tables that show two runs, A and B. */
#ifndef TW__DIFF_CELLS_H
#define TW__DIFF_CELLS_H

#include "cli/diff_print.h"
#include "cli/grid.h"

enum { DIFF_MOST_ROWS = 10 }; /* of one table */

/* Adds a title for each column of the grid. */
void diff_titles(struct grid *, const char *const *titles);
/* Adds the seconds of A and of B, and their difference. NAN: that run has none, so there is no difference. */
void diff_seconds(struct grid *, double a, double b);
/* Adds the megabytes of A and of B, and their difference. */
void diff_megabytes(struct grid *, const uint64_t bytes[2]);

/* diff_print_tasks.c: where the runs part, and the tasks that moved. TW_NOMEM. */
int print_diff_tasks(FILE *, const struct tw__diff *, struct tw_error *err);

#endif
