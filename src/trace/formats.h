/* The trace formats. Each writes a sorted record to an open file; the caller checks the file's error flag. */
#ifndef TW__FORMATS_H
#define TW__FORMATS_H

#include <stdio.h>

#include "trace/write.h"

struct tw__trace {
	const struct tw_platform *platform;
	const struct tw_graph *graph;    /* with the tasks that reductions have appended */
	const struct tw_graph *program;  /* without these tasks */
	const struct tw__record *record; /* sorted */
	const char *workload, *policy;   /* NULL: unknown */
	const uint64_t *capacity;        /* [n_nodes] usable bytes, UINT64_MAX: unbounded; or NULL: unknown */
	const struct tw__run_about *about; /* NULL: unknown */
	int64_t end_ns;                  /* the makespan, or the last event's date if that is later */
	/* [record->n] of a transfer's start, the index of its end, and vice versa; SIZE_MAX: not recorded. */
	size_t *other_end;

	/* Traces show kernels with the same name but different sizes as one kernel. */
	int n_names;
	const char **names;  /* in the order of their first kernels */
	int *name_of_kernel; /* [n_kernels], index into names */
};

/* TW_OK or TW_NOMEM. */
int tw__write_paje(FILE *, const struct tw__trace *);
int tw__write_chrome(FILE *, const struct tw__trace *);
int tw__write_schedule(FILE *, const struct tw__trace *);
int tw__write_record(FILE *, const struct tw__trace *); /* the run section alone */

/* Closes a file after writing with that status (TW_OK or TW_NOMEM). errno must have been 0 before writing. */
int tw__trace_close(FILE *, const char *path, int status, struct tw_error *err);

/* The memory's usable bytes; 0: unbounded or unknown. */
static inline uint64_t tw__trace_capacity(const struct tw__trace *t, tw_node n)
{
	return t->capacity && t->capacity[n] != UINT64_MAX ? t->capacity[n] : 0;
}

/* Writes StarVZ's tables into a folder, which is created if necessary. The error names the file. */
int tw__write_starvz(const char *folder, const struct tw__trace *, struct tw_error *err);

/* Names of enum tw__cause. */
extern const char *const tw__cause_names[TW__N_CAUSES];

#endif
