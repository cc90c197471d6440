/* Exports task graphs as files for other programs. docs/reference/graphs.md documents the contents of each format. */
#ifndef TW__EXPORT_H
#define TW__EXPORT_H

#include <stdio.h>
#include <string.h>

#include "graph/graph.h"

/* Returns the number of the format, by the ending of the file's name: .dot, .gv, .graphml or .json. TW_INVALID: the
 * name has another ending. */
int tw__export_format(const char *path, struct tw_error *err);

/* Writes a task graph in a format. The caller checks ferror() for write errors. TW_FAILED: the format cannot hold the
 * graph. */
int tw__export(FILE *, int format, const struct tw_graph *, struct tw_error *err);

/* Returns the key of a duration on processors or accelerators: "cpu_seconds", "gpu_seconds". NULL: it is one of
 * "arch_seconds". */
static inline const char *tw__seconds_key(const struct tw_graph *g, const struct tw__arch_seconds *s)
{
	const char *name = g->arch_names[s->name];
	return !strcmp(name, "processors") ? "cpu_seconds" : !strcmp(name, "accelerators") ? "gpu_seconds" : NULL;
}

/* The writers, which tw__export calls. */
int tw__export_dot(FILE *, const struct tw_graph *, struct tw_error *err);
int tw__export_graphml(FILE *, const struct tw_graph *, struct tw_error *err);
int tw__export_json(FILE *, const struct tw_graph *, struct tw_error *err);

#endif
