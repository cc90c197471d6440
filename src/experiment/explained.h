/* Explanations of runs: `tilewright run --explain`, and of past runs for `tilewright explain`. */
#ifndef TW__EXPLAINED_H
#define TW__EXPLAINED_H

#include "experiment/load.h"
#include "explain/explain.h"

/* The plan's run with its record, which belongs to the caller. */
struct tw__explained_run tw__plan_explained(const struct tw__plan *, struct tw__record *);

/* In the run's process: writes the explanation. TW_FAILED: it cannot be written. */
int tw__plan_explain(const struct tw__plan *, struct tw__record *, FILE *, struct tw_error *err);

#endif
