/* Runs one node of a cluster in this process, and the others in other processes, which an MPI launcher has started with
 * the same options. Each has the runtime and the engine of its node. Messages go over a transport
 * (engine/transport.h). */
#ifndef TW__CLUSTER_PROCESSES_H
#define TW__CLUSTER_PROCESSES_H

#include "engine/transport.h"
#include "runtime/run.h"

/* Loads the module with MPI. NULL: it is not there. */
const struct tw__transport_ops *tw__transport_load(struct tw_error *err);

/* As tw__cluster_run, for a graph that was divided from `program`, of which each rank has tasks. In process 0, counters
 * and record are those of all processes together; in others, those of their nodes. After a failure the process must
 * end, and so must the others, which may wait for it. */
int tw__processes_run(const struct tw__run_input *, const struct tw_graph *program, struct tw__run_counters *,
                      struct tw_error *err);

#endif
