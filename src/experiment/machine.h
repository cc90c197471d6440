/* The platform "machine": this machine, and how long its kernels take. */
#ifndef TW__EXPERIMENT_MACHINE_H
#define TW__EXPERIMENT_MACHINE_H

#include "experiment/load.h"

bool tw__is_machine(const struct tw__request *);

/* This machine with its GPUs, or with the accelerators that the request emulates; the caller's. TW_INVALID: it has fewer GPUs than the
 * request asks for. */
int tw__machine_all(struct tw_platform **, const struct tw__request *, struct tw_error *err);
/* The workers of it that the request chooses. */
int tw__machine_load(struct tw_platform **, const struct tw__request *, struct tw_error *err);

/* Times of the graph's kernels on the platform, measured in a process of its own: that takes seconds. What was measured once in this
 * process is not measured again. TW_INVALID: the workload has no real kernels. With --learn nothing is measured: times that are guessed tell which
 * kernels run where. */
int tw__machine_models(struct tw__models **, const struct tw__request *, const struct tw_platform *,
                       const struct tw_graph *, struct tw_error *err);

#endif
