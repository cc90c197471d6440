/* The platform `machine`: this machine, with measured kernel times. */
#ifndef TW__EXPERIMENT_MACHINE_H
#define TW__EXPERIMENT_MACHINE_H

#include "experiment/load.h"

bool tw__is_machine(const struct tw__request *);

/* This machine with its GPUs, or with the emulated accelerators of the request. The caller frees it. TW_INVALID: it has
 * fewer GPUs than requested. */
int tw__machine_all(struct tw_platform **, const struct tw__request *, struct tw_error *err);
/* The workers of it that the request selects. */
int tw__machine_load(struct tw_platform **, const struct tw__request *, struct tw_error *err);

/* Times of the graph's kernels on the platform. Measures them in a child process, which takes seconds; times measured
 * before in this process are reused.
 * With --learn nothing is measured: guessed times say which kernels run where. TW_INVALID: the workload has no real
 * kernels. */
int tw__machine_models(struct tw__models **, const struct tw__request *, const struct tw_platform *,
                       const struct tw_graph *, struct tw_error *err);

#endif
