/* The formats of traces. Each writer writes a sorted record to an open file; the caller checks the file's error
 * flag. */
#ifndef TW__FORMATS_H
#define TW__FORMATS_H

#include <stdio.h>

#include "trace/write.h"

struct tw__trace {
	const struct tw__platform *platform;
	const struct tw_graph *graph;    /* the graph with the tasks that reductions have appended */
	const struct tw_graph *program;  /* the graph as submitted, without appended tasks */
	const struct tw__record *record; /* the run's record, sorted by date */
	const char *workload, *policy;   /* names of workload and policy; NULL: unknown */
	const uint64_t *capacity; /* [n_nodes] usable bytes of each memory, UINT64_MAX: unbounded; or NULL: unknown */
	const struct tw__run_about *about; /* how the run was made; NULL: unknown */
	enum tw__link_shares shares;       /* how transfers share links in the run's model */
	struct tw__run_domains domains;
	int64_t end_ns; /* end of the trace in ns: the makespan, or the date of the last event if it is later */

	/* Traces show kernels with the same name but different sizes as one kernel. */
	int n_names;
	const char **names;  /* the names of kernels, each once, in the order of kernels */
	int *name_of_kernel; /* [n_kernels] index of each kernel's name in `names` */
};

/* Prepares what writers and counters need. The record must be sorted. */
void tw__trace_init(struct tw__trace *, const struct tw__traced *);
void tw__trace_finish(struct tw__trace *);

enum tw__trace_format {
	TW__FORMAT_PAJE,
	TW__FORMAT_CHROME,
	TW__FORMAT_RECORD,
	TW__FORMAT_TABLE, /* of tasks */
	TW__FORMAT_OTHER
};
/* Returns the format that the ending of a file's name tells. `compressed`: ".gz" may stand behind it. */
enum tw__trace_format tw__trace_format_of(const char *path, bool compressed);

/* Chrome: all before and all behind the list of events (chrome_head.c). */
void tw__chrome_head(FILE *, const struct tw__trace *);
void tw__chrome_end(FILE *, const struct tw__trace *);

/* Write a trace in one format. */
void tw__write_paje(FILE *, const struct tw__trace *);
void tw__write_chrome(FILE *, const struct tw__trace *);
void tw__write_record(FILE *, const struct tw__trace *); /* the run section alone */
void tw__write_binary(FILE *, const struct tw__trace *); /* the run section alone, with events as bytes */

/* Returns the usable bytes of a memory; 0: unbounded or unknown. */
static inline uint64_t tw__trace_capacity(const struct tw__trace *t, tw_node n)
{
	return t->capacity && t->capacity[n] != UINT64_MAX ? t->capacity[n] : 0;
}

/* Writes the tables for StarVZ into a folder, and creates the folder if necessary. On failure, the message names the
 * file. */
int tw__write_starvz(const char *folder, const struct tw__trace *, struct tw_error *err);

#endif
