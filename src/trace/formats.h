/* The trace formats. Each writes a sorted record to an open file, and leaves the file's error flag to its caller. */
#ifndef TW__FORMATS_H
#define TW__FORMATS_H

#include <stdio.h>

#include "trace/write.h"

struct tw__trace {
	const struct tw_platform *platform;
	const struct tw_graph *graph;    /* with the tasks that reductions have appended */
	const struct tw_graph *program;  /* without */
	const struct tw__record *record; /* sorted */
	const char *workload, *policy;   /* NULL: not known */
	const uint64_t *capacity;        /* [n_nodes] usable bytes, UINT64_MAX: unbounded; or NULL: not known */
	int64_t end_ns;                  /* the makespan, or the last event's date if that is later */
	size_t *other_end; /* [record->n] of a transfer's start, its end, and of that, the start; SIZE_MAX: none is recorded */

	/* Kernels of one name and several sizes are one to people who look at a trace. */
	int n_names;
	const char **names;  /* in order of the first kernel that has it */
	int *name_of_kernel; /* [n_kernels], into names */
};

/* TW_OK or TW_NOMEM. */
int tw__write_paje(FILE *, const struct tw__trace *);
int tw__write_chrome(FILE *, const struct tw__trace *);
int tw__write_schedule(FILE *, const struct tw__trace *);

/* Closes a file that was written with that status (TW_OK or TW_NOMEM), errno having been 0 before. */
int tw__trace_close(FILE *, const char *path, int status, struct tw_error *err);

/* The memory's usable bytes; 0: unbounded, or not known. */
static inline uint64_t tw__trace_capacity(const struct tw__trace *t, tw_node n)
{
	return t->capacity && t->capacity[n] != UINT64_MAX ? t->capacity[n] : 0;
}

/* StarVZ's tables, in a folder that is made if need be. The error names the file. */
int tw__write_starvz(const char *folder, const struct tw__trace *, struct tw_error *err);

/* Words for enum tw__cause. */
extern const char *const tw__cause_names[TW__N_CAUSES];

#endif
