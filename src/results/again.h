/* Repeats the run that a row of results came from. A row has all inputs of its run, and simulations are
 * deterministic. */
#ifndef TW__AGAIN_H
#define TW__AGAIN_H

#include "results/rows.h"

/* Repeats the run of row number `row`, writes its trace to the file `trace`, and compares its makespan with the row's.
 * TW_FAILED, with the reason: the run cannot be repeated here, or the makespans differ; the trace is then invalid. A
 * run cannot be repeated if a file is gone or the version of the models differs. */
int tw__run_again(const struct tw__rows *, int row, const char *trace, struct tw_error *err);

#endif
