/* Repeats the run of a row. A row holds nearly all inputs of its run, and runs are deterministic. */
#ifndef TW__AGAIN_H
#define TW__AGAIN_H

#include "experiment/rows.h"

/* Runs it again, writes the trace to that file, and compares makespans.
 * TW_FAILED, with the reason: it cannot run here (a file is gone, another version of the models, a bound that no column
 * holds), or its makespan differs from the row's. Then the trace is invalid. */
int tw__run_again(const struct tw__rows *, int row, const char *trace, struct tw_error *err);

#endif
