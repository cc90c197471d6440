/* Results of others, made to look like ours: of a real node, or of another simulator, with columns and names of their own. */
#ifndef TW__ADAPT_H
#define TW__ADAPT_H

#include "experiment/rows.h"

/* In the user's words; each list ends with NULL, and may be NULL. They are followed in this order. */
struct tw__adaptation {
	const char *const
		*columns; /* "workload=matmul2d:nt={tiles}": a column made of others; one that is there is replaced */
	const char *const *values; /* "policy:heft=dmda": what the rows call heft is dmda */
	const char *const *scales; /* "makespan_s=0.001": numbers are multiplied */
};

/* TW_INVALID for what is no such text, a column that is not there, a value that no row has, or what is no number. */
int tw__rows_adapt(struct tw__rows *, const struct tw__adaptation *, struct tw_error *err);

#endif
