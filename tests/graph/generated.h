/* Graphs of the workload plug-ins, and questions about them. An error aborts the test. */
#ifndef GENERATED_H
#define GENERATED_H

#include "graph/graph.h"

struct tw_graph *generated(const char *format, ...) TW_PRINTF(1, 2); /* "matmul2d:nt=%d", finished and checked */

bool is_kernel(const struct tw_graph *, tw_task, const char *name);
int tasks_of_kernel(const struct tw_graph *, const char *name);
double flops_of_kernels(const struct tw_graph *); /* summed over all tasks */
int n_edges(const struct tw_graph *);

/* Does `after` wait for `before` directly? */
bool depends(const struct tw_graph *, tw_task after, tw_task before);

/* The critical path when each task of kernel k takes seconds[k]; NULL: 1 each. */
double path(const struct tw_graph *, const double *seconds);

/* Are all properties that a run sees the same? */
bool same_graphs(const struct tw_graph *, const struct tw_graph *);

#endif
