/* Trace files for people's tools, from the record of a run. */
#ifndef TW__WRITE_H
#define TW__WRITE_H

#include "graph/graph.h"
#include "platform/platform.h"
#include "trace/record.h"

/* What is written. */
struct tw__traced {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	struct tw__record *record;     /* gets sorted */
	const char *workload, *policy; /* the words that name them; or NULL */
	const uint64_t *capacity;      /* [n_nodes] usable bytes, UINT64_MAX: unbounded; or NULL */
};

/* By the ending of `path`: .paje or .trace (Paje: ViTE, pj_dump), .json (Chrome trace events: Perfetto, chrome://tracing), .csv (a
 * schedule to replay), / (a folder of StarVZ's tables). */
int tw__trace_check_path(const char *path, struct tw_error *err); /* before the run: known ending, can be created */
int tw__trace_write(const char *path, const struct tw__traced *, struct tw_error *err);

#endif
