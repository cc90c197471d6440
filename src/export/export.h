/* Task graphs as files for other programs. docs/reference/graphs.md documents what is in each format. */
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
int tw__export_json(FILE *, const struct tw_graph *, struct tw_error *err);

/* GraphML's is in a module (base/module.h), since igraph brings many libraries along. */
struct tw__graphml {
	int (*write)(FILE *, const struct tw_graph *, struct tw_error *err);
};
extern const struct tw__graphml tw__graphml;

#endif
