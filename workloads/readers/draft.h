/* A draft collects the contents of a file before the task graph is built: jobs, dependencies, handles, and records of
 * an execution. Jobs come in any order, and a job may name others before the file describes them. When the file has
 * been read, the jobs are sorted and submitted to a tw_graph.
 *
 * A job with a kernel becomes a task. The successors of a job without a kernel depend on its predecessors.
 *
 * A draft keeps the first error. All functions may still be called then, and return numbers that are safe to use. So a
 * reader looks at `status` only where it would go on for long, or would give a number of its own to the graph. */
#ifndef READERS_DRAFT_H
#define READERS_DRAFT_H

#include <tilewright/graph.h>

#include "readers/input.h"
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
	struct tw_error *err; /* message of the first error */
	int status;           /* TW_OK, or the status of the first error */

	/* The user's parameters of the workload `file`. */
	const char *file;
	bool recorded;          /* times=recorded: tasks take their recorded times; false: times=model */
	bool replay;            /* submit the tasks in the order of their recorded starts, with their recorded places */
	double flop_rate;       /* flop/s that gives nodes without kernel and seconds their time */
	double default_seconds; /* time of tasks to which the file gives none; 0: none */
	/* For formats without units: one unit of time in seconds, and one of data in bytes. 0: not given, so 1 s or
	 * 1 B, which a warning says. */
	double unit_seconds, unit_bytes;

	char path[257];       /* path of the file, for messages */
	struct tw__input *in; /* the open file, for formats of lines */
	uint32_t line;        /* number of the line that tw__draft_line has read */
	/* Jobs that are named but not described are jobs without kernels; false: they are errors. */
	bool unknown_jobs_pass;

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

void tw__draft_init(struct tw__draft *, struct tw_graph *, const char *file, struct tw_error *);
void tw__draft_finish(struct tw__draft *);
/* Goes on with another graph, which has none of the kernels so far. */
void tw__draft_begin(struct tw__draft *, struct tw_graph *);

/* Keeps the error "path:line: message" if it is the first one. Line 0: no line. Returns the first error's status. */
int tw__draft_fail(struct tw__draft *, uint32_t line, const char *format, ...) TW_PRINTF(3, 4);
/* Takes the error that the graph keeps since a builder function failed, with a message about `line`. */
void tw__draft_refused(struct tw__draft *, uint32_t line);

/* --- lines of the file -------------------------------------------------------------------------------------------- */

/* Opens the file, which tw__draft_finish closes. `open_end`: whether its last line may lack a line break. */
void tw__draft_open(struct tw__draft *, bool open_end);
/* Returns the next line of the file, which the caller may change until the next call. NULL: the end, or an error. */
char *tw__draft_line(struct tw__draft *);
/* Reads the next word of the line last read, behind *rest, as an integer. `what` names it in messages. */
int64_t tw__draft_int(struct tw__draft *, char **rest, const char *what, int64_t least, int64_t most);
/* Fails if the line has another word behind `rest`. */
void tw__draft_no_more(struct tw__draft *, char *rest);

/* --- contents: `line` is where the file has them, for messages ---------------------------------------------------- */

/* Finds the job `name`, or adds it, and returns its index. */
int32_t tw__draft_name(struct tw__draft *, const char *name, uint32_t line);
/* Finds or adds the job `name`, which the caller then describes in draft->jobs[index]; returns the index. Fails if the
 * job was described before. The next call may move the array. */
int32_t tw__draft_describe(struct tw__draft *, const char *name, uint32_t line);
/* The job whose name is that number, on the line last read: tw__draft_describe, or tw__draft_name. */
int32_t tw__draft_number(struct tw__draft *, int64_t number, bool describe);
void tw__draft_edge(struct tw__draft *, int32_t from, int32_t to);
void tw__draft_access(struct tw__draft *, int32_t job, tw_data, unsigned mode);
void tw__draft_hint(struct tw__draft *, int32_t group, uint64_t order);

/* Reads the size of a handle, as all readers do: a number of bytes from 0 to 2^60. A fraction is rounded up to whole
 * bytes, which is counted as a difference. False: the text, or the number, is none. */
bool tw__draft_bytes(struct tw__draft *, const char *text, uint64_t *bytes);
bool tw__draft_whole_bytes(struct tw__draft *, double number, uint64_t *bytes);

/* Finds the handle `name`, or adds it. A known handle keeps its size. A size of 0 becomes 1 byte, which is counted as a
 * difference. Negative: an error. */
tw_data tw__draft_data(struct tw__draft *, const char *name, uint64_t bytes, uint32_t line);

/* Finds a kernel, or adds it. `recorded_on`: archs on which its tasks take their recorded seconds with times=recorded,
 * as in graph.h; or NULL, which is everywhere with default seconds. Fails if the texts together are longer than some
 * hundred bytes. A kernel keeps the flops of its first call. Later calls with other flops are counted as differences,
 * except for 0 (unknown). Negative: an error. */
tw_kernel tw__draft_kernel(struct tw__draft *, const char *name, const char *size, const char *precision, double flops,
                           const char *recorded_on, uint32_t line);

/* Sets the recorded time of a job with times=recorded: at most TW_MAX_SECONDS, and raised to at least 1 ns, because a
 * graph needs times above 0. Raising is counted as a difference. */
void tw__draft_seconds(struct tw__draft *, int32_t job, double seconds);
/* Sets the seconds of a job on an arch, "processors" or "accelerators", raised as tw__draft_seconds does. All
 * calls for one job come one after the other. */
void tw__draft_seconds_on(struct tw__draft *, int32_t job, const char *arch, size_t length, double seconds);

/* Gives the default seconds, if there are any, to a submitted task to which the file gives no time, and counts the
 * task. */
void tw__draft_default(struct tw__draft *, tw_task);

/* With times=recorded, counts tasks without recorded seconds as differences. They take the platform's kernel times,
 * which may differ much. */
void tw__draft_count_unrecorded(struct tw__draft *);

/* For formats whose times have no unit. The `seconds` of all jobs are units of time so far. Turns the jobs into tasks
 * of the kernel `task`, which take that time on every worker. `entry` and `exit`, unless TW_NONE, only order. */
void tw__draft_units(struct tw__draft *, int32_t entry, int32_t exit);

/* Returns the scope of priorities of that name; negative: there is none. */
int tw__draft_priority_scope(const char *name);

/* The maximum flops of a task, so that the sum over all tasks is finite. */
#define TW__DRAFT_MAX_FLOPS 1e30

/* Counts a difference between the file and the graph. `what` describes it ("machines left out") and outlives the
 * draft. */
void tw__draft_count(struct tw__draft *, const char *what, uint64_t n);

/* Sorts the jobs and submits them to the graph, after the whole file has been read without error. */
void tw__draft_submit(struct tw__draft *);

/* Logs one line with the numbers of tasks and handles and all counted differences. The line is a warning if there are
 * differences. */
void tw__draft_log(const struct tw__draft *, const char *format);

/* --- the readers, one for each format ----------------------------------------------------------------------------- */

void tw__read_dax(struct tw__draft *); /* a workflow of Pegasus */
void tw__read_dot(struct tw__draft *);
void tw__read_graphml(struct tw__draft *);
/* Tilewright's own format, directly into the graph: the draft is used only for kernels and counts. */
void tw__read_graph(struct tw__draft *);
void tw__read_psplib(struct tw__draft *); /* PSPLIB, the library of project scheduling problems */
void tw__read_saga(struct tw__draft *);   /* a task graph of the project SAGA */
void tw__read_starpu(struct tw__draft *);
void tw__read_starvz(struct tw__draft *);
void tw__read_stg(struct tw__draft *); /* the Standard Task Graph Set */
void tw__read_wfcommons(struct tw__draft *);

#endif
