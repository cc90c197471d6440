/* The result of a run as named cells, for the CSV and JSON output. */
#ifndef TW__COLUMNS_H
#define TW__COLUMNS_H

#include "experiment/experiment.h"
#include "results/cells.h"

/* Fills `cells` with the columns of a result, and returns their number. All results have the same columns in the same
 * order. */
int tw__result_cells(const struct tw__result *, struct cell *cells);
/* Fills `cells` with the names of a result's columns, for callers that have no result; returns their number. */
int tw__result_names(struct cell *cells);

#endif
