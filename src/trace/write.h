/* Writes trace files for other tools, from the record of a run. */
#ifndef TW__WRITE_H
#define TW__WRITE_H

#include "graph/graph.h"
#include "platform/platform.h"
#include "trace/domains.h"
#include "trace/record.h"

/* One option that the user gave for the run, as a name and a value (request/fields.h). */
struct tw__run_argument {
	char *name, *value;
};
/* Returns the value of that name; NULL: there is none. */
const char *tw__run_argument(const struct tw__run_argument *, int n, const char *name);

/* How a run was made, for the run section of its trace (run_section.h). */
struct tw__run_about {
	const char *version;  /* versions of program and models; or NULL */
	const char *identity; /* fingerprint of the run's inputs; or NULL */
	const double *mean;   /* [kernels * archs] mean seconds of kernels, NAN: it does not run there; or NULL */
	const struct tw__run_argument *arguments, *fingerprints; /* fingerprints: inputs and their digests */
	int n_arguments, n_fingerprints;
};

/* The input of a trace. */
struct tw__traced {
	const struct tw__platform *platform;
	const struct tw_graph *graph;
	struct tw__record *record;     /* the record of the run; it gets sorted */
	const char *workload, *policy; /* names of workload and policy, or NULL */
	const uint64_t *capacity; /* [n_nodes] usable bytes of each memory, UINT64_MAX: unbounded; or NULL: unknown */
	const struct tw__run_about *about; /* how the run was made; or NULL: unknown */
	enum tw__link_shares shares;       /* how transfers share links in the run's model */
	struct tw__run_domains domains;
};

/* tw__trace_write writes a trace. tw__trace_check_path checks, before the run, that the format is known and the path
 * can be created. The end of `path` selects the format. These are .paje or .trace (Paje: ViTE, pj_dump), .json (Chrome
 * trace events: Perfetto, chrome://tracing), .csv (a schedule to replay), .record (the run section alone), and .twb
 * (the same, binary). A path that ends in / is a folder for StarVZ's tables. */
int tw__trace_check_path(const char *path, struct tw_error *err);
int tw__trace_write(const char *path, const struct tw__traced *, struct tw_error *err);

/* Compares what a Paje or Chrome trace shows to viewers with a run, whose record is sorted. The trace's run section is
 * not compared. TW_INVALID: it shows something else; the message names the line. Other formats show nothing. */
int tw__trace_compare(const char *path, const struct tw__traced *, struct tw_error *err);

#endif
