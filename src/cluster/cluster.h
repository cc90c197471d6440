/* Runs a graph with ranks (graph/ranks.h) on the nodes of a cluster. Each node has a runtime of its own, with its own
 * policy, eviction policy and memories, as in StarPU-MPI. All share one engine. The record has the numbers of the whole
 * platform and graph. */
#ifndef TW__CLUSTER_RUN_H
#define TW__CLUSTER_RUN_H

#include "runtime/run.h"

/* Returns the seed of a node's run, from the cluster's. The first node has the same, so that it does what it does
 * alone. */
uint64_t tw__cluster_seed(uint64_t seed, int rank);

/* As tw__run. The counters are those of all nodes together. A graph without ranks runs on one node. */
int tw__cluster_run(const struct tw__run_input *, struct tw__run_counters *, struct tw_error *err);

#endif
