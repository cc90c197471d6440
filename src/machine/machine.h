/* The platform `machine`: this machine, with measured kernel times. */
#ifndef TW__EXPERIMENT_MACHINE_H
#define TW__EXPERIMENT_MACHINE_H

#include "perf/models.h"
#include "request/request.h"

bool tw__is_machine(const struct tw__request *);

/* Makes the platform of this machine with its cores, and its GPUs or the emulated accelerators of the request. The
 * caller frees the platform. TW_INVALID: the machine has fewer GPUs than requested. */
int tw__machine_all(struct tw_platform **, const struct tw__request *, struct tw_error *err);
/* Makes the platform of this machine with only the workers that the request selects. The caller frees the platform. */
int tw__machine_load(struct tw_platform **, const struct tw__request *, struct tw_error *err);

/* Finds the times of the graph's kernels on this machine. Measures them in a child process, which takes seconds;
 * kernels that this process has measured before keep their times. TW_INVALID: the workload has no real kernels.
 * With --learn nothing is measured: guessed times tell which archs can run each kernel. */
int tw__machine_models(struct tw__models **, const struct tw__request *, const struct tw_platform *,
                       const struct tw_graph *, struct tw_error *err);

#endif
