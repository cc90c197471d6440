/* The edges of a task graph, for writers of files. */
#ifndef TW__EDGES_H
#define TW__EDGES_H

#include "graph/graph.h"

/* An edge from a task to one that waits for it. */
struct tw__edge {
	tw_task from, to;
	tw_data data; /* written by `from` and read by `to`; TW_NONE: order alone */
};

/* All edges of a graph, sorted by `to`: one for each handle that flows, and one for each dependency without data. The
 * caller frees the array. */
int tw__graph_edges(struct tw__edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

/* All dependencies, sorted by `to`, including those on every contributor of a reduction. The caller frees the array. */
int tw__graph_dependencies(struct tw__edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

/* The dependencies that no data implies (calls of tw_graph_depend), sorted by `to`. The caller frees the array. */
int tw__graph_orders(struct tw__edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

#endif
