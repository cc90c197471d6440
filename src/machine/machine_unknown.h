/* Kernel times for --learn on the platform `machine`, before anything is measured: they only tell which archs can run
 * each kernel. */
#ifndef TW__MACHINE_UNKNOWN_H
#define TW__MACHINE_UNKNOWN_H

#include "machine/machine_needs.h"
#include "request/request.h"
#include "request/workload.h"

/* Makes kernel times with a guess for each kernel, from its flops. TW_INVALID: the workload has no real kernels, or no
 * worker can run one of them. */
int tw__unknown_models(struct tw__models **, const struct tw__request *, const struct tw__needs *,
                       const struct tw__workload_words *, struct tw_error *err);

#endif
