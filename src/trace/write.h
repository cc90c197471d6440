/* Trace files for people's tools, from the record of a run. */
#ifndef TW__WRITE_H
#define TW__WRITE_H

#include "graph/graph.h"
#include "platform/platform.h"
#include "trace/record.h"

/* By the ending of `path`: .paje or .trace (Paje: ViTE, pj_dump), .json (Chrome trace events: Perfetto, chrome://tracing). */
int tw__trace_check_path(const char *path, struct tw_error *err); /* before the run: known ending, can be created */
int tw__trace_write(const char *path, const struct tw_platform *, const struct tw_graph *, struct tw__record *,
                    struct tw_error *err);

#endif
