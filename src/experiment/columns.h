/* A result as named cells, for all machine-readable formats. */
#ifndef TW__COLUMNS_H
#define TW__COLUMNS_H

#include "experiment/cells.h"
#include "experiment/experiment.h"

/* Fills `cells` in the order of the columns, which is the same for every result; returns their number. */
int tw__result_cells(const struct tw__result *, struct cell *cells);
/* The same without a run, for the names of the columns. */
int tw__result_names(struct cell *cells);

#endif
