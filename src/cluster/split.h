/* Divides a program's graph among the nodes of a cluster (ranks), as StarPU-MPI does: each rank goes through the whole
 * program. */
#ifndef TW__SPLIT_H
#define TW__SPLIT_H

#include "cluster/distribution.h"
#include "graph/ranks.h"

/* Makes a graph with ranks (graph/ranks.h). `main_of`: [n_ranks] the first main memory of each.
 *
 * A task runs on the rank that the distribution says. Otherwise it runs where the first handle that it writes is
 * owned, or if it writes none, the first that it reads. A rank that reads a handle and lacks its current version gets a
 * message from the owner. It keeps that version until the handle is written or flushed. If another rank than the owner
 * writes the handle, the owner gets a message behind that task. A dependency without data between tasks of two ranks is
 * a message of one byte. A message has the priority of the task for which it is sent. split_reductions.c divides
 * reductions.
 *
 * TW_INVALID: the graph has something that cannot be divided among nodes. */
int tw__split(struct tw_graph **, const struct tw_graph *, const struct tw__distribution *, int n_ranks,
              const tw_node *main_of, struct tw_error *err);

#endif
