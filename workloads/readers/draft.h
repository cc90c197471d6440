/* A draft collects the contents of a file before the task graph is built: jobs, dependencies, data, and records of an
 * execution. Jobs come in any order, and a job may name others before the file describes them. When the file has been
 * read, the jobs are sorted and submitted to a tw_graph.
 *
 * A job with a kernel becomes a task. The successors of a job without a kernel depend on its predecessors. */
#ifndef READERS_DRAFT_H
#define READERS_DRAFT_H

#include <tilewright/graph.h>

#include "readers/names.h"

struct tw__draft_job {
	uint64_t order;   /* position in the program: jobs are submitted in this order where dependencies allow */
	double seconds;   /* recorded duration, or NAN */
	int64_t start_ns; /* recorded start; negative: unknown */
	uint32_t line;    /* of the description, or, until then, of the first mention; 0: the format has no lines */
	tw_kernel kernel; /* TW_NONE: not a task */
	int32_t priority;
	int32_t worker;   /* number of the recorded worker; TW_NONE: unknown */
	bool accelerator; /* the recorded worker is an accelerator */
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
enum { TW__LAST_WRITE = 16 }; /* after this write, the handle "will not be used" */

/* From the position `order` of the program on, the handles of `group` will not be used. */
struct tw__draft_hint {
	uint64_t order;
	int32_t group;
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
	bool unknown_jobs_pass; /* treat named but undescribed jobs as jobs without kernels; else they are errors */
	bool replay;            /* submit the tasks in the order of their recorded starts, with their recorded places */

	struct tw__name_list job_names; /* the number of a name is the job's index */
	struct tw__draft_job *jobs;
	struct tw__draft_edge *edges;
	struct tw__draft_access *accesses;
	struct tw__draft_hint *hints;
	struct tw__name_list data_names; /* the number of a name is the handle */
	int32_t *data_group;             /* [data] the group that hints refer to */
	struct tw__name_list kernel_names;
	struct tw__draft_kernel *kernels; /* indexed by the numbers of kernel_names */
	size_t n_edges, n_accesses, n_hints, jobs_capacity, edges_capacity, accesses_capacity, hints_capacity,
		groups_capacity, kernels_capacity;

	uint64_t data_bytes;
	double flops;
	struct tw__tally tally[24]; /* numbers of differences between file and graph, for the summary */
};

void tw__draft_init(struct tw__draft *, struct tw_graph *, const char *path);
void tw__draft_finish(struct tw__draft *);

/* All these functions return a negative status on failure, with a message about `line` of the file (0: no line). */

/* Finds or adds the job of that name and returns its index. */
int32_t tw__draft_name(struct tw__draft *, const char *name, size_t length, uint32_t line, struct tw_error *err);
/* The same for a job that the caller describes now in draft->jobs[index]. Fails if the job was described before. The
 * next name may move the array. */
int32_t tw__draft_describe(struct tw__draft *, const char *name, size_t length, uint32_t line, struct tw_error *err);
int tw__draft_edge(struct tw__draft *, int32_t from, int32_t to, struct tw_error *err);
int tw__draft_access(struct tw__draft *, int32_t job, tw_data, unsigned mode, struct tw_error *err);
int tw__draft_hint(struct tw__draft *, int32_t group, uint64_t order, struct tw_error *err);

/* Finds or adds the handle of that name. A known handle keeps its size. A size of 0 becomes 1 byte, which is
 * counted. */
tw_data tw__draft_data(struct tw__draft *, const char *name, size_t length, uint64_t bytes, uint32_t line,
                       struct tw_error *err);

/* Finds or adds a kernel; `recorded_on`: as in graph.h, or NULL. Fails if the texts together are longer
 * than some hundred bytes. A kernel keeps the flops of its first call; later calls with other flops are
 * counted, except for 0 (unknown). */
tw_kernel tw__draft_kernel(struct tw__draft *, const char *name, const char *size, const char *precision, double flops,
                           const char *recorded_on, uint32_t line, struct tw_error *err);

/* Raises a recorded time to at least 1 ns, because a graph needs times above 0, and counts this. `seconds`: at most
 * TW_MAX_SECONDS. */
double tw__draft_seconds(struct tw__draft *, double seconds);

/* Counts the tasks without recorded seconds. These take the platform's kernel times, which may differ much. */
void tw__draft_count_unrecorded(struct tw__draft *);

/* The maximum flops of a task, so that the sum over all tasks is finite. */
#define TW__DRAFT_MAX_FLOPS 1e30

/* Counts a difference between the file and the graph. `what` describes it ("machines left out") and outlives the
 * draft. */
void tw__draft_count(struct tw__draft *, const char *what, uint64_t n);

/* Writes "path:line: message" and returns TW_INVALID. */
int tw__draft_fail(const struct tw__draft *, uint32_t line, struct tw_error *err, const char *format, ...)
	TW_PRINTF(4, 5);
int tw__draft_no_memory(const struct tw__draft *, struct tw_error *err);
/* Reports the error that the graph keeps. */
int tw__draft_refused(const struct tw__draft *, uint32_t line, struct tw_error *err);

/* Sorts the jobs and submits them to the graph, after the whole file has been read. */
int tw__draft_submit(struct tw__draft *, struct tw_error *err);

/* Logs one line with the numbers of tasks and data and all counted differences. It is a warning
 * if there are differences. */
void tw__draft_log(const struct tw__draft *, const char *format);

#endif
