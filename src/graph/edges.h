/* The edges of a task graph, for writers of files. */
#ifndef TW__EDGES_H
#define TW__EDGES_H

#include "graph/graph.h"

/* An edge from a task to another task that waits for it. */
struct tw__edge {
	tw_task from, to;
	tw_data data; /* the handle that `from` writes and `to` reads; TW_NONE: the edge is only an order */
};

/* Returns all edges of a graph, sorted by `to`. There is one edge for each handle that one task writes for another, and
 * one for each dependency without data. The caller frees the array. */
struct tw__edge *tw__graph_edges(size_t *n, const struct tw_graph *);

/* Returns all dependencies as edges without data, sorted by `to`. A task that waits for a reduction depends on each of
 * its contributors. The caller frees the array. */
struct tw__edge *tw__graph_dependencies(size_t *n, const struct tw_graph *);

/* Returns the dependencies that do not follow from accesses to data, but from tw_graph_depend, sorted by `to`. The
 * caller frees the array. */
int tw__graph_orders(struct tw__edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

#endif
