/* Where a time in kernels.csv comes from: the optional column `origin`, "KIND" or "KIND: SOURCE". */
#ifndef TW__ROW_ORIGIN_H
#define TW__ROW_ORIGIN_H

#include "perf/table.h"

/* TW__UNKNOWN_ORIGIN: the row does not tell, and counts no samples. The others are in the order in which texts list
 * them. */
enum tw__row_origin { TW__MEASURED, TW__FROM_PAPER, TW__EXTRAPOLATED, TW__ASSUMED, TW__UNKNOWN_ORIGIN, TW__N_ORIGINS };

/* The name of each kind, as kernels.csv has it: "measured", "paper" ...; "unknown". */
extern const char *const tw__origin_names[TW__N_ORIGINS];

/* Reads the field `origin` of the table's current row. `text`: the field; NULL or "": the row does not tell. Sets
 * `*source` to the part of `text` behind the colon; "" if there is none. TW_INVALID: the kind is unknown. */
int tw__row_origin_read(enum tw__row_origin *, const char **source, const struct tw__table *, const char *text);

#endif
