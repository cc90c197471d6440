/* Task graphs as files for other programs. docs/graphs.md documents what is in each format. */
#ifndef TW__EXPORT_H
#define TW__EXPORT_H

#include <stdio.h>

#include "graph/graph.h"

enum tw__export_format { TW__EXPORT_DOT, TW__EXPORT_GRAPHML, TW__EXPORT_JSON };

/* By the file's ending: .dot, .gv; .graphml; .json. TW_INVALID else. */
int tw__export_format(enum tw__export_format *, const char *path, struct tw_error *err);

/* What cannot be written shows in ferror(); TW_NOMEM else. */
int tw__export(FILE *, enum tw__export_format, const struct tw_graph *, struct tw_error *err);

/* One writer each. */
int tw__export_dot(FILE *, const struct tw_graph *, struct tw_error *err);
int tw__export_graphml(FILE *, const struct tw_graph *, struct tw_error *err);
int tw__export_json(FILE *, const struct tw_graph *, struct tw_error *err);

/* From a task to one that waits for it. */
struct tw__export_edge {
	tw_task from, to;
	tw_data data; /* that `from` wrote and `to` reads; TW_NONE: mere order */
};

/* The edges of a graph, by `to`: one for each data that flows, and one for each dependency without such. malloc'ed. */
int tw__export_edges(struct tw__export_edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

/* The dependencies that no data implies, by `to`: what tw_graph_depend was told. malloc'ed. */
int tw__export_orders(struct tw__export_edge **, size_t *n, const struct tw_graph *, struct tw_error *err);

#endif
