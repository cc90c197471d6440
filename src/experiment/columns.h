/* A result as named cells: what all machine-readable formats are made of. */
#ifndef TW__COLUMNS_H
#define TW__COLUMNS_H

#include "experiment/cells.h"
#include "experiment/experiment.h"

/* Fills `cells` in the order of the columns, the same for every result; returns how many they are. */
int tw__result_cells(const struct tw__result *, struct cell *cells);
/* The same of no run, for the names. */
int tw__result_names(struct cell *cells);

#endif
