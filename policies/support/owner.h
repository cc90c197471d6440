/* Owner computes: data are dealt out to workers once and for all, and a task runs where the first data that it writes
 * belongs. Each accelerator that can run the task, or each processor if one of these is the fastest, gets an equal, contiguous part of
 * the data in the order of their numbers, as blocks of a domain are dealt out by hand. An accumulator belongs to its worker. A help for static policies. */
#ifndef TILEWRIGHT_OWNER_H
#define TILEWRIGHT_OWNER_H

#include "policies/support/worker_runs.h"

/* `runs`: all workers, as tw_worker_runs gives them. */
tw_worker tw_owner(const struct tw_sched *, const struct tw_worker_run *runs, int n_runs, tw_task);

#endif
