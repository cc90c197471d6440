/* Task graphs as files for other programs. docs/reference/graphs.md documents the contents of each format. */
#ifndef TW__EXPORT_H
#define TW__EXPORT_H

#include <stdio.h>

#include "graph/graph.h"

enum tw__export_format { TW__EXPORT_DOT, TW__EXPORT_GRAPHML, TW__EXPORT_JSON };

/* By the ending of the file's name: .dot, .gv, .graphml or .json; otherwise TW_INVALID. */
int tw__export_format(enum tw__export_format *, const char *path, struct tw_error *err);

/* The caller checks ferror() for write errors. TW_NOMEM; TW_INVALID if the format's module is missing; TW_FAILED if the
 * format cannot hold the graph. */
int tw__export(FILE *, enum tw__export_format, const struct tw_graph *, struct tw_error *err);

/* One function for each format. */
int tw__export_dot(FILE *, const struct tw_graph *, struct tw_error *err);
int tw__export_json(FILE *, const struct tw_graph *, struct tw_error *err);

/* The writer of GraphML is in a module (base/module.h), as igraph loads many libraries. */
struct tw__graphml {
	int (*write)(FILE *, const struct tw_graph *, struct tw_error *err);
};
extern const struct tw__graphml tw__graphml;

#endif
