/* Models for --learn on the platform `machine`: they say which kernels run where. */
#ifndef TW__MACHINE_UNKNOWN_H
#define TW__MACHINE_UNKNOWN_H

#include "experiment/load.h"
#include "experiment/machine_needs.h"

/* Models with a guessed time for each kernel, from its flops. TW_INVALID: the workload has no real kernels, or no
 * worker can run one of them. */
int tw__unknown_models(struct tw__models **, const struct tw__request *, const struct tw__needs *,
                       const struct tw__workload_words *, struct tw_error *err);

#endif
