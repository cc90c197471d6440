/* Explanations of runs: `tilewright run --explain`, and of past runs for `tilewright explain`. */
#ifndef TW__EXPLAINED_H
#define TW__EXPLAINED_H

#include "experiment/load.h"
#include "explain/explain.h"

/* The plan's run with its record, which belongs to the caller. */
struct tw__explained_run tw__plan_explained(const struct tw__plan *, struct tw__record *);

/* Before a run: opens the plan's file for an explanation, if the request wants one. TW_FAILED: no file can be made. */
int tw__plan_begin_explanation(struct tw__plan *, struct tw_error *err);
/* In the run's process: writes the explanation to the plan's file. TW_FAILED: it cannot be written. */
int tw__plan_explain(const struct tw__plan *, struct tw__record *, struct tw_error *err);
/* After the run: closes the plan's file. *text: the explanation, malloc'ed; NULL: the run has written none. TW_FAILED:
 * it cannot be read. */
int tw__plan_end_explanation(struct tw__plan *, char **text, struct tw_error *err);

#endif
