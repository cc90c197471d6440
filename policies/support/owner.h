/* Owner computes: handles are dealt out to workers once, and a task runs on the owner of the first handle that it
 * writes. Owners are the accelerators that can run the task; if a processor is the fastest worker for the task, owners
 * are the processors. Each owner gets an equal, contiguous part of the handles in the order of their numbers. So does a
 * user who deals out blocks of a domain by hand. An accumulator belongs to its worker. For static policies. */
#ifndef TILEWRIGHT_OWNER_H
#define TILEWRIGHT_OWNER_H

#include "policies/support/worker_runs.h"

/* Returns the worker on which the task runs. `runs`: all workers, as tw_arch_runs returns them. */
tw_worker tw_owner(const struct tw_sched *, const struct tw_worker_run *runs, int n_runs, tw_task);

#endif
