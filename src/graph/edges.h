/* What the edges of a task graph stand for, for those who write it down. */
#ifndef TW__EDGES_H
#define TW__EDGES_H

#include "graph/graph.h"

/* From a task to one that waits for it. */
struct tw__edge {
	tw_task from, to;
	tw_data data; /* that `from` wrote and `to` reads; TW_NONE: mere order */
};

/* The edges of a graph, by `to`: one for each data that flows, and one for each dependency without such. malloc'ed. */
int tw__graph_edges(struct tw__edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

/* Who waits for whom, by `to`: one for each dependency, those on all that contribute to a reduction included. malloc'ed. */
int tw__graph_dependencies(struct tw__edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

/* The dependencies that no data implies, by `to`: what tw_graph_depend was told. malloc'ed. */
int tw__graph_orders(struct tw__edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

#endif
