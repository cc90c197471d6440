/* Adapts the results of another program (a real node, another simulator) to our columns and names. */
#ifndef TW__ADAPT_H
#define TW__ADAPT_H

#include "experiment/rows.h"

/* The user's options, applied in this order. Each list ends with NULL, and may be NULL. */
struct tw__adaptation {
	const char *const *columns; /* "workload=matmul2d:nt={tiles}": makes or replaces a column from others */
	const char *const *values;  /* "policy:heft=dmda": renames the value heft to dmda */
	const char *const *scales;  /* "makespan_s=0.001": multiplies numbers */
};

/* TW_INVALID: malformed option, unknown column, a value that no row has, or a cell that is no number. */
int tw__rows_adapt(struct tw__rows *, const struct tw__adaptation *, struct tw_error *err);

#endif
