/* A draft collects the contents of a file before the task graph is built: jobs, dependencies, handles, and records of
 * an execution. Jobs come in any order, and a job may name others before the file describes them. When the file has
 * been read, the jobs are sorted and submitted to a tw_graph.
 *
 * A job with a kernel becomes a task. The successors of a job without a kernel depend on its predecessors. */
#ifndef READERS_DRAFT_H
#define READERS_DRAFT_H

#include <tilewright/graph.h>

#include "readers/names.h"

struct tw__draft_job {
	uint64_t order;   /* position in the program: jobs are submitted in this order where dependencies allow that */
	double seconds;   /* recorded duration; NAN: unknown */
	int64_t start_ns; /* recorded start in nanoseconds; negative: unknown */
	/* Line of the job's description, or, until then, of its first mention; 0: the format has no lines. */
	uint32_t line;
	tw_kernel kernel; /* kernel in the graph; TW_NONE: the job does not become a task */
	int32_t priority;
	int32_t worker;   /* number of the recorded worker; TW_NONE: unknown */
	int32_t rank;     /* the recorded worker's MPI rank, as each rank numbers its own workers */
	bool accelerator; /* whether the recorded worker is an accelerator */
	bool described;
	bool critical;         /* whether tw_graph_mark_critical applies */
	uint32_t n_seconds_on; /* how many of tw__draft.seconds_on are the job's, from first_seconds_on on */
	size_t first_seconds_on;
};

/* Seconds of a job on one arch, or on one kind: see tw_graph_set_seconds_on. */
struct tw__draft_seconds_on {
	int32_t arch; /* number in tw__draft.arch_names */
	double seconds;
};

struct tw__draft_edge {
	int32_t from, to; /* indices of jobs: `to` depends on `from` */
};

struct tw__draft_access {
	int32_t job;
	tw_data data;
	uint8_t mode; /* enum tw_mode, perhaps with TW__LAST_WRITE */
};
enum { TW__LAST_WRITE = 16 }; /* flag of a mode: after this write, the handle "will not be used" */

/* A hint: from the position `order` of the program on, the handles of `group` will not be used. */
struct tw__draft_hint {
	uint64_t order;
	int32_t group;
};

struct tw__draft_kernel {
	tw_kernel number; /* number of the kernel in the graph */
	double flops;
};

struct tw__tally {
	const char *what;
	uint64_t n;
};

struct tw__draft {
	struct tw_graph *graph;
	char path[257]; /* path of the file, for messages */
	/* Jobs that are named but not described are jobs without kernels; false: they are errors. */
	bool unknown_jobs_pass;
	/* Whether to submit the tasks in the order of their recorded starts, with their recorded places. */
	bool replay;
	double default_seconds; /* time of tasks to which the file gives none; 0: none */

	struct tw__name_list job_names; /* names of the jobs; the number of a name is the job's index */
	struct tw__draft_job *jobs;
	struct tw__draft_edge *edges;
	struct tw__draft_access *accesses;
	struct tw__draft_hint *hints;
	struct tw__name_list arch_names;
	struct tw__draft_seconds_on *seconds_on;
	struct tw__name_list data_names; /* names of the handles; the number of a name is the handle */
	int32_t *data_group;             /* [n_data] group of each handle, to which hints refer */
	struct tw__name_list kernel_names;
	struct tw__draft_kernel *kernels; /* the kernels, indexed by their numbers in kernel_names */
	size_t n_edges, n_accesses, n_hints, n_seconds_on, seconds_on_capacity, jobs_capacity, edges_capacity,
		accesses_capacity, hints_capacity, groups_capacity, kernels_capacity;

	uint64_t data_bytes;
	double flops; /* of the whole graph */
	enum tw_priority_scope priority_scope;
	struct tw__tally tally[24]; /* counts of differences between file and graph, for the summary */
};

void tw__draft_init(struct tw__draft *, struct tw_graph *, const char *path);
void tw__draft_finish(struct tw__draft *);

/* The functions below return a negative status on failure, with a message about `line` of the file (0: no line). */

/* Finds the job `name`, or adds it, and returns its index. */
int32_t tw__draft_name(struct tw__draft *, const char *name, size_t length, uint32_t line, struct tw_error *err);
/* Finds or adds the job `name`, which the caller then describes in draft->jobs[index]; returns the index. Fails if the
 * job was described before. The next call may move the array. */
int32_t tw__draft_describe(struct tw__draft *, const char *name, size_t length, uint32_t line, struct tw_error *err);
/* The job whose name is that number: tw__draft_describe, or tw__draft_name. */
int32_t tw__draft_number(struct tw__draft *, int64_t number, bool describe, uint32_t line, struct tw_error *err);
int tw__draft_edge(struct tw__draft *, int32_t from, int32_t to, struct tw_error *err);
int tw__draft_access(struct tw__draft *, int32_t job, tw_data, unsigned mode, struct tw_error *err);
int tw__draft_hint(struct tw__draft *, int32_t group, uint64_t order, struct tw_error *err);

/* Reads the size of a handle, as all readers do: a number of bytes from 0 to 2^60. A fraction is rounded up to whole
 * bytes, which is counted as a difference. False: the text, or the number, is none. */
bool tw__draft_bytes(struct tw__draft *, const char *text, uint64_t *bytes);
bool tw__draft_whole_bytes(struct tw__draft *, double number, uint64_t *bytes);

/* Finds the handle `name`, or adds it. A known handle keeps its size. A size of 0 becomes 1 byte, which is counted as a
 * difference. */
tw_data tw__draft_data(struct tw__draft *, const char *name, size_t length, uint64_t bytes, uint32_t line,
                       struct tw_error *err);

/* Finds a kernel, or adds it. `recorded_on`: archs on which its tasks take their recorded seconds, as in graph.h; or
 * NULL, which is everywhere with default seconds. Fails if the texts together are longer than some hundred bytes. A
 * kernel keeps the flops of its first call. Later calls with other flops are counted as differences, except for 0
 * (unknown). */
tw_kernel tw__draft_kernel(struct tw__draft *, const char *name, const char *size, const char *precision, double flops,
                           const char *recorded_on, uint32_t line, struct tw_error *err);

/* Raises a recorded time to at least 1 ns, because a graph needs times above 0, and counts that as a difference.
 * `seconds`: at most TW_MAX_SECONDS. */
double tw__draft_seconds(struct tw__draft *, double seconds);

/* Sets the seconds of a job on an arch, "processors" or "accelerators", raised as tw__draft_seconds does. All
 * calls for one job come one after the other. */
int tw__draft_seconds_on(struct tw__draft *, int32_t job, const char *arch, size_t length, double seconds,
                         struct tw_error *err);

/* Gives the default seconds, if there are any, to a submitted task to which the file gives no time, and counts the
 * task. */
void tw__draft_default(struct tw__draft *, tw_task);

/* Counts tasks without recorded seconds as differences. They take the platform's kernel times, which may differ
 * much. */
void tw__draft_count_unrecorded(struct tw__draft *);

/* The maximum flops of a task, so that the sum over all tasks is finite. */
#define TW__DRAFT_MAX_FLOPS 1e30

/* Counts a difference between the file and the graph. `what` describes it ("machines left out") and outlives the
 * draft. */
void tw__draft_count(struct tw__draft *, const char *what, uint64_t n);

/* Fills the error message "path:line: message" and returns TW_INVALID. */
int tw__draft_fail(const struct tw__draft *, uint32_t line, struct tw_error *err, const char *format, ...)
	TW_PRINTF(4, 5);
int tw__draft_no_memory(const struct tw__draft *, struct tw_error *err);
/* Returns the error that the graph keeps since a builder function failed, with a message about `line`. */
int tw__draft_refused(const struct tw__draft *, uint32_t line, struct tw_error *err);

/* Sorts the jobs and submits them to the graph, after the whole file has been read. */
int tw__draft_submit(struct tw__draft *, struct tw_error *err);

/* Logs one line with the numbers of tasks and handles and all counted differences. The line is a warning if there are
 * differences. */
void tw__draft_log(const struct tw__draft *, const char *format);

#endif
