/* A task graph as files tell it, before it is one: jobs in any order, which name others before these are described; order
 * between them; data; what is known of an execution. When all is read, the jobs are sorted and submitted to a tw_graph.
 *
 * A job is a task, or, without a kernel, passes on the order between its predecessors and its successors. */
#ifndef READERS_DRAFT_H
#define READERS_DRAFT_H

#include <tilewright/graph.h>

#include "readers/names.h"

struct tw__draft_job {
	uint64_t order; /* where in the program: a job goes before those with a greater one, unless it waits for them */
	double seconds; /* recorded; NAN: not */
	int64_t start_ns; /* recorded; negative: not */
	uint32_t line; /* where it is described, or, before it is, where it is first named; 0: no such thing as lines */
	tw_kernel kernel; /* TW_NONE: not a task */
	int32_t priority;
	int32_t worker;   /* it was recorded there: any number; TW_NONE: not known */
	bool accelerator; /* what that worker is */
	bool described;
};

struct tw__draft_edge {
	int32_t from, to; /* jobs */
};

struct tw__draft_access {
	int32_t job;
	tw_data data;
	uint8_t mode; /* enum tw_mode, TW__LAST_WRITE */
};
enum { TW__LAST_WRITE = 16 }; /* after it the data "will not be used" */

struct tw__draft_hint {
	uint64_t order; /* at this point of the program ... */
	int32_t group;  /* ... none of these data will be used */
};

struct tw__draft_kernel {
	tw_kernel number; /* in the graph */
	double flops;
};

struct tw__tally {
	const char *what;
	uint64_t n;
};

struct tw__draft {
	struct tw_graph *graph;
	char path[257];         /* for messages */
	bool unknown_jobs_pass; /* a job that is named and never described only passes order on; else it is an error */
	bool replay;            /* as recorded: in the order of the starts, each task with its place */

	struct tw__name_list job_names; /* their numbers are the jobs' */
	struct tw__draft_job *jobs;
	struct tw__draft_edge *edges;
	struct tw__draft_access *accesses;
	struct tw__draft_hint *hints;
	struct tw__name_list data_names; /* their numbers are the data's */
	int32_t *data_group;             /* [data] for hints */
	struct tw__name_list kernel_names;
	struct tw__draft_kernel *kernels; /* by the numbers of kernel_names */
	size_t n_edges, n_accesses, n_hints, jobs_capacity, edges_capacity, accesses_capacity, hints_capacity,
		groups_capacity, kernels_capacity;

	uint64_t data_bytes;
	double flops;
	struct tw__tally tally[24]; /* what is not as in the file, for the summary */
};

void tw__draft_init(struct tw__draft *, struct tw_graph *, const char *path);
void tw__draft_finish(struct tw__draft *);

/* All of these: negative on failure, with a message about `line` of the file (0: none). */

/* The number of the job of that name, which may not be described yet. */
int32_t tw__draft_name(struct tw__draft *, const char *name, size_t length, uint32_t line, struct tw_error *err);
/* The same, to be described now: fails for one that is already. Fill draft->jobs[number]; until the next name. */
int32_t tw__draft_describe(struct tw__draft *, const char *name, size_t length, uint32_t line, struct tw_error *err);
int tw__draft_edge(struct tw__draft *, int32_t from, int32_t to, struct tw_error *err);
int tw__draft_access(struct tw__draft *, int32_t job, tw_data, unsigned mode, struct tw_error *err);
int tw__draft_hint(struct tw__draft *, int32_t group, uint64_t order, struct tw_error *err);

/* The data of that name, found (whatever its size) or added. Data of 0 bytes get one, and are counted. */
tw_data tw__draft_data(struct tw__draft *, const char *name, size_t length, uint64_t bytes, uint32_t line,
                       struct tw_error *err);

/* The kernel of these; recorded_on: as in graph.h, or NULL. Fails for texts of more than some hundred bytes. The flops that a
 * kernel is told with first count; others are counted, unless they are 0 (not told). */
tw_kernel tw__draft_kernel(struct tw__draft *, const char *name, const char *size, const char *precision, double flops,
                           const char *recorded_on, uint32_t line, struct tw_error *err);

/* Recorded times are above 0 in a graph: less than a nanosecond becomes one, and is counted. At most TW_MAX_SECONDS. */
double tw__draft_seconds(struct tw__draft *, double seconds);

/* Counts the tasks without recorded seconds, if those are wanted: the platform's kernel times may differ much from them. */
void tw__draft_count_unrecorded(struct tw__draft *);

/* Flops of one task: sums of any number of them are finite. */
#define TW__DRAFT_MAX_FLOPS 1e30

/* Counts something that is not in the graph as it is in the file. `what` says it in words ("machines left out") and outlives
 * the draft. */
void tw__draft_count(struct tw__draft *, const char *what, uint64_t n);

/* "path:line: message". TW_INVALID. */
int tw__draft_fail(const struct tw__draft *, uint32_t line, struct tw_error *err, const char *format, ...)
	TW_PRINTF(4, 5);
int tw__draft_no_memory(const struct tw__draft *, struct tw_error *err);
/* Why the graph has taken no more. */
int tw__draft_refused(const struct tw__draft *, uint32_t line, struct tw_error *err);

/* All is read: into the graph with it. */
int tw__draft_submit(struct tw__draft *, struct tw_error *err);

/* One line through tw_log about what was read and what was counted; a warning if anything was. */
void tw__draft_log(const struct tw__draft *, const char *format);

#endif
