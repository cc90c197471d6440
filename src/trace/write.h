/* Writes trace files for other tools, from the record of a run. */
#ifndef TW__WRITE_H
#define TW__WRITE_H

#include "graph/graph.h"
#include "platform/platform.h"
#include "trace/record.h"

/* What the user asked for, as a name and a value: experiment/arguments.h. */
struct tw__run_argument {
	char *name, *value;
};

/* About the run, for the run section of a trace (run_section.h). */
struct tw__run_about {
	const char *version;    /* of program and models; or NULL */
	const char *identity;   /* fingerprint of the run's inputs; or NULL */
	const double *mean;     /* [kernels * archs] mean seconds of kernels, NAN: it does not run there; or NULL */
	const struct tw__run_argument *arguments;
	int n_arguments;
};

/* The contents of a trace. */
struct tw__traced {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	struct tw__record *record;     /* it will be sorted */
	const char *workload, *policy; /* their names, or NULL */
	const uint64_t *capacity;      /* [n_nodes] usable bytes, UINT64_MAX: unbounded; or NULL */
	const struct tw__run_about *about; /* or NULL */
};

/* The end of `path` selects the format: .paje or .trace (Paje: ViTE, pj_dump), .json (Chrome trace events: Perfetto,
 * chrome://tracing), .csv (a schedule to replay), .record (the run section alone). A path that ends in / is a folder for StarVZ's tables. */
int tw__trace_check_path(const char *path, struct tw_error *err); /* before the run: known format, and can be created */
int tw__trace_write(const char *path, const struct tw__traced *, struct tw_error *err);

#endif
