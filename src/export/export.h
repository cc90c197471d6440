/* Exports task graphs as files for other programs. docs/reference/graphs.md documents the contents of each format. */
#ifndef TW__EXPORT_H
#define TW__EXPORT_H

#include <stdio.h>

#include "graph/graph.h"

enum tw__export_format { TW__EXPORT_DOT, TW__EXPORT_GRAPHML, TW__EXPORT_JSON };

/* Finds the format by the ending of the file's name: .dot, .gv, .graphml or .json. TW_INVALID: the name has another
 * ending. */
int tw__export_format(enum tw__export_format *, const char *path, struct tw_error *err);

/* Writes a task graph in one of the formats. The caller checks ferror() for write errors. TW_NOMEM: out of memory.
 * TW_INVALID: the module of the format is missing. TW_FAILED: the format cannot hold the graph. */
int tw__export(FILE *, enum tw__export_format, const struct tw_graph *, struct tw_error *err);

/* Returns the key of a duration on processors or accelerators: "cpu_seconds", "gpu_seconds". NULL: it is one of
 * "arch_seconds". */
const char *tw__seconds_key(const struct tw_graph *, const struct tw__arch_seconds *);

/* The writers of DOT and JSON, which tw__export calls. */
int tw__export_dot(FILE *, const struct tw_graph *, struct tw_error *err);
int tw__export_json(FILE *, const struct tw_graph *, struct tw_error *err);

/* The writer of GraphML. It is in a module, a separate shared object (base/module.h), because igraph loads many
 * libraries. */
struct tw__graphml {
	int (*write)(FILE *, const struct tw_graph *, struct tw_error *err);
};
extern const struct tw__graphml tw__graphml;

#endif
