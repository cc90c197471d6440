/* A row's run, once more: a row holds nearly all that went into its run, and runs are deterministic. */
#ifndef TW__AGAIN_H
#define TW__AGAIN_H

#include "experiment/rows.h"

/* Runs it, with a trace in that file, and compares: TW_FAILED if it cannot be run here (a file is gone, the models are of another
 * version, a bound that no column holds) or ends at another makespan than the row says, with the reason; then the trace is of no use. */
int tw__run_again(const struct tw__rows *, int row, const char *trace, struct tw_error *err);

#endif
