/* Prints explanations, as text for people and as JSON for programs. docs/reference/explain.md describes both. */
#ifndef TW__EXPLAIN_PRINTED_H
#define TW__EXPLAIN_PRINTED_H

#include <stdio.h>

#include "base/cell_table.h"
#include "explain/explain.h"

/* The names of the run, for the first line. */
struct tw__explained_name {
	const char *trace; /* path, or NULL */
	const char *platform, *workload, *policy;
};

/* Lines of text. `with_chain`: with each link of the chain. */
void tw__explanation_print(FILE *, const struct tw__explanation *, const struct tw__explained_run *,
                           const struct tw__explained_name *, bool with_chain);
/* An object of JSON, with the chain; the caller releases it. */
json_t *tw__explanation_json(const struct tw__explanation *, const struct tw__explained_run *,
                             const struct tw__explained_name *);

#endif
