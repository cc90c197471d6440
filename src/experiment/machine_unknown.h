/* Kernels of this machine whose times a run will learn: which of them run where. */
#ifndef TW__MACHINE_UNKNOWN_H
#define TW__MACHINE_UNKNOWN_H

#include "experiment/load.h"
#include "experiment/machine_needs.h"

/* Models with a guess for each, from its flops. TW_INVALID: the workload has no real kernels, or no worker can run one of them. */
int tw__unknown_models(struct tw__models **, const struct tw__request *, const struct tw__needs *,
                       const struct tw__workload_words *, struct tw_error *err);

#endif
