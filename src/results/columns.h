/* The result of a run as named cells, for the CSV and JSON output. */
#ifndef TW__COLUMNS_H
#define TW__COLUMNS_H

#include "base/cells.h"
#include "experiment/experiment.h"

/* Fills `cells` with the columns of a result, and returns their number. All results have the same columns in the same
 * order. */
int tw__result_cells(const struct tw__result *, struct cell *cells);
/* Fills `cells` with the names of a result's columns, for callers that have no result; returns their number. */
int tw__result_names(struct cell *cells);
/* Adds the columns that a resumed file of results needs: `status`, `message`, `version`, and `identity` as the last. */
void tw__column_choice_resume(struct tw__column_choice *, const struct cell *columns, int n);

#endif
