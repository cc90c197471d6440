/* Task graphs, built as a sequential program submits its tasks.
 *
 * Dependencies follow from the data accesses (Augonnet 2011, section 2.5.2). For each handle the graph keeps the last
 * writer and its readers since then. A reader depends on the last writer. A writer depends on all these readers, or on
 * the last writer if there are no readers. The list of readers is then emptied.
 *
 * Consecutive tasks that access a handle with TW_REDUX are a reduction (section 2.4.2). Each of these contributors
 * depends on the earlier accesses, not on other contributors, and adds to its worker's accumulator. When all are done,
 * tasks appended at run time combine the accumulators and the handle. Later accesses depend on the appended tasks.
 *
 * A handle with TW_SCRATCH gets room on the task's node while the task runs, for each worker that computes on that
 * node. It implies no dependency.
 *
 * Workload plug-ins fill a graph that the library created; programs create their own with tw_graph_create. */
#ifndef TILEWRIGHT_GRAPH_H
#define TILEWRIGHT_GRAPH_H

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tw_mode {
	TW_R = 1,
	TW_W = 2,
	TW_RW = TW_R | TW_W,
	TW_SCRATCH = 4, /* scratch room while a task runs; if one task uses a handle with this mode, all tasks must */
	TW_REDUX = 8    /* contribution to a reduction; call tw_graph_reduction for the handle first */
};

const char *tw_mode_name(enum tw_mode); /* returns "R", "W", "RW", "SCRATCH" or "REDUX" */

struct tw_access {
	tw_data data;
	enum tw_mode mode;
};

/* The policies for which tasks have priorities. Others see 0, or, with TW_SEES_CRITICAL, 1 for critical tasks
 * (tw_graph_mark_critical). Transfers for a task have the priority that the policy sees. */
enum tw_priority_scope {
	TW_PRIORITY_FOR_SORTING, /* for policies with TW_SORTS_BY_PRIORITY, as in StarPU's Cholesky */
	TW_PRIORITY_FOR_LOOKING, /* for policies with TW_SORTS_BY_PRIORITY or TW_SEES_CRITICAL, as in StarPU's LU */
	TW_PRIORITY_FOR_ALL      /* for all policies */
};
enum { TW_N_PRIORITY_SCOPES = 3 };
const char *tw_priority_scope_name(enum tw_priority_scope); /* returns "sorting", "looking" or "all" */

struct tw_graph;

/* Returns an empty graph; NULL: out of memory, as tw_graph_finish(NULL) tells. Builder functions ignore NULL. */
struct tw_graph *tw_graph_create(void);
void tw_graph_destroy(struct tw_graph *);

/* The builder functions below keep the first error (out of memory, a bad argument) for tw_graph_finish. */

/* Adds a handle of `bytes` > 0 bytes. At the start of a run the handle is valid in one memory, which the runtime
 * parameter `homes` or tw_graph_set_home tells. */
tw_data tw_graph_data(struct tw_graph *, uint64_t bytes);
/* Adds n handles of those bytes and returns the number of the first one; TW_NONE: the graph has failed. */
tw_data tw_graph_data_many(struct tw_graph *, tw_data n, const uint64_t *bytes);

/* Divides the handle into n >= 1 parts (a filter: Augonnet 2011, section 2.2.3). Returns the first of n new handles,
 * numbered one after the other. `bytes`: their sizes, which add up to the handle's. Parts can be divided, too, up to 64
 * levels; each handle once. Tasks access the whole handle or parts of it, as a sequential program would. A task that
 * writes a part depends on earlier tasks that access the whole, and the other way round. The runtime divides the handle
 * before a task that accesses a part, and joins the parts before one that accesses the whole. Neither handle nor parts
 * may be accessed with TW_SCRATCH or TW_REDUX, be discarded, or have a memory at the end. */
tw_data tw_graph_partition(struct tw_graph *, tw_data, int n, const uint64_t *bytes);
/* Divides a handle of rows x columns elements into blocks of block_rows x block_columns, row by row. Those at the last
 * row and column are smaller if need be. A vector has one column. Returns the first block. */
tw_data tw_graph_partition_matrix(struct tw_graph *, tw_data, int rows, int columns, int block_rows, int block_columns);

/* Sets the kernel whose tasks combine accumulators of the handle: each task adds one handle (R) to another (RW). */
void tw_graph_reduction(struct tw_graph *, tw_data, tw_kernel combine);

/* Finds or adds the kernel of that name, size and precision, by which the library looks up kernel times. A kernel
 * "lu.gemm" without times takes those of "gemm". The size is the side of square tiles ("960"), or the ordered
 * dimensions of the operands ("960x3840+3840x960"). The precision is "s", "d", or "b" for bytes. All three texts
 * consist of valid characters (tw_character_bytes). `flops` is for one execution; files, traces and --extrapolate use
 * it. If the kernel exists, `flops` is ignored. A graph has at most 65,536 kernels. */
tw_kernel tw_graph_kernel(struct tw_graph *, const char *name, const char *size, const char *precision, double flops);

/* Restricts tasks of this kernel to workers of some archs: names of the platform, "processors" or "accelerators",
 * joined by '+'. A group of cores has the arch name of its cores. NULL (default): wherever the kernel has a time. */
void tw_graph_restrict(struct tw_graph *, tw_kernel, const char *archs);

/* Says that tasks of this kernel take their recorded seconds (tw_graph_set_seconds) on workers of those archs. On
 * other workers, on groups of cores, and for tasks without a record, the kernel's times count. */
void tw_graph_recorded_on(struct tw_graph *, tw_kernel, const char *archs);
/* Finds or adds a kernel recorded on exactly those archs: tw_graph_kernel and tw_graph_recorded_on in one. Kernels of
 * the same name, size and precision have the same times on archs where they were not recorded. */
tw_kernel tw_graph_recorded_kernel(struct tw_graph *, const char *name, const char *size, const char *precision,
                                   double flops, const char *archs);

/* Appends a task with those accesses (each handle at most once) and returns the task's number. */
tw_task tw_graph_submit(struct tw_graph *, tw_kernel, int32_t priority, const struct tw_access *, int n_accesses);

/* Tasks as arrays, which the caller owns. Task i of them, from 0, has the accesses of the indices first_access[i] up
 * to, without, first_access[i + 1]; its dependencies likewise. Only `kernel` must be there. Without the other arrays
 * (NULL), tasks have priority 0, no accesses, no dependencies and no seconds. */
struct tw_task_arrays {
	size_t size; /* of this structure; new members come at the end */
	tw_task n;
	int32_t n_archs;
	const tw_kernel *kernel;                        /* [n] */
	const int32_t *priority;                        /* [n] */
	const int64_t *first_access, *first_dependency; /* [n + 1] */
	const tw_data *data;                            /* the handle of each access */
	const uint8_t *mode;                            /* enum tw_mode of each access */
	const tw_task *depends_on;                      /* numbers in the graph, as tw_graph_depend takes them */
	const double *seconds;                          /* [n] as tw_graph_set_seconds takes them; NAN: none */
	const char *const *archs;                       /* [n_archs] names */
	const double *seconds_on; /* [n_archs * n], arch by arch, as tw_graph_set_seconds_on; NAN: none */
};
/* Appends the tasks, as tw_graph_submit does one after the other. Returns the number of the first one; TW_NONE: the
 * graph has failed. */
tw_task tw_graph_submit_many(struct tw_graph *, const struct tw_task_arrays *);

/* Sets the recorded duration of a task (see tw_graph_recorded_on): above 0, at most TW_MAX_SECONDS, up to which doubles
 * resolve microseconds. */
#define TW_MAX_SECONDS 1e9
void tw_graph_set_seconds(struct tw_graph *, tw_task, double seconds);

/* Sets how long the last submitted task takes on one arch, or on all "processors" or "accelerators", but on no groups
 * of cores. There it has precedence over tw_graph_set_seconds, whatever the kernel's recorded archs are. The name of an
 * arch has precedence over its kind. Each name once for a task; at most 64 names. False: the graph has failed. */
bool tw_graph_set_seconds_on(struct tw_graph *, const char *arch, double seconds);

/* The worker and the order of a task in a recorded execution, so that the policy `replay` can repeat them. */
struct tw_recorded_place {
	bool accelerator;
	int32_t worker; /* the worker's number, from 0, among the processors or among the accelerators */
	int32_t order;  /* the worker ran its tasks in ascending order of this number */
};
void tw_graph_set_recorded_place(struct tw_graph *, tw_task, struct tw_recorded_place);

/* Says that the last submitted task is recursive: those up to tw_graph_end_recursive are another way to do it. A
 * policy may split it, when it is ready (struct tw_policy, splits); otherwise it is one task. The tasks inside access
 * handles of the task around them, or parts of these (tw_graph_partition), as it does. They depend on each other
 * alone, and may be recursive themselves. A recursive task has no access with TW_REDUX. */
void tw_graph_begin_recursive(struct tw_graph *);
void tw_graph_end_recursive(struct tw_graph *);

/* Marks a task as critical, and also the tasks that combine the task's contribution to a reduction. Under
 * TW_PRIORITY_FOR_SORTING, policies with TW_SEES_CRITICAL see this mark instead of priorities. StarPU's Cholesky gives
 * such tasks the maximum priority of schedulers that have priorities. */
void tw_graph_mark_critical(struct tw_graph *, tw_task);

/* Makes the last submitted task depend on the earlier task `on`. Repeated calls for the same task have no effect. */
void tw_graph_depend(struct tw_graph *, tw_task on);

/* Says that no later task writes the handle, and that its remaining readers run soon. After the last writer of the
 * handle has ended, a runtime may write the handle back and evict it first. */
void tw_graph_will_not_be_used(struct tw_graph *, tw_data);
/* Says that nobody needs the content of the handle after the last task that accesses it. When that task has ended, all
 * copies lose their content, without a write-back. Not for handles with TW_SCRATCH or TW_REDUX. */
void tw_graph_discard(struct tw_graph *, tw_data);

enum { TW_MAX_MEMORIES = 1024 }; /* the most memories of a platform */
/* Says in which memory the handle is at the start of a run: a main memory, or an accelerator's. There it takes room as
 * if a task had written it. The runtime parameter `homes` is for the other handles. 0 is the platform's first main
 * memory; accelerators' come behind the main memories. A run without this memory fails. If it is a main memory with a
 * bound, the handle is in the first one. */
void tw_graph_set_home(struct tw_graph *, tw_data, tw_node memory);
/* Says in which memory a valid copy of the handle must be at the end of a run, numbered as for tw_graph_set_home. After
 * the last task, the run copies such handles there if need be, and ends with the last copy. */
void tw_graph_set_end(struct tw_graph *, tw_data, tw_node memory);

/* Says that the handle is this tile of a matrix, for distributions over the nodes of a cluster; from 0 on. */
void tw_graph_set_tile(struct tw_graph *, tw_data, int32_t row, int32_t column);
/* Lets nodes of a cluster other than the owner give up their copies of the handle, when all tasks so far that read them
 * have ended. A later reader there receives it again, as after StarPU's starpu_mpi_cache_flush. */
void tw_graph_flush(struct tw_graph *, tw_data);

/* Sets the flops of the whole graph, from a closed formula. A result's gflops are these flops over the makespan. */
void tw_graph_set_flops(struct tw_graph *, double flops);
void tw_graph_set_priority_scope(struct tw_graph *, enum tw_priority_scope);

/* Ends the building of the graph. Later, only flops, scope and priorities may change: other builder functions do
 * nothing, and make the next call of this one fail. Otherwise a second call does nothing. Returns the first error. */
int tw_graph_finish(struct tw_graph *, struct tw_error *err);

/* A graph among several. */
struct tw_joined_graph {
	struct tw_graph *graph;
	double arrival_s;   /* no task is submitted earlier; from 0 to TW_MAX_SECONDS */
	const char *domain; /* name of the scheduling domain of all its tasks; NULL: that of --assign, or the first */
	const char *name;   /* what results call it; NULL or "": "graph" and its number, from 0 */
};
/* Fills an empty graph with copies of up to TW_MOST_JOINED graphs, as --with does (docs/reference/several-graphs.md),
 * and finishes all. Each has a thread that submits its tasks from its arrival on. TW_INVALID: a graph has an error,
 * consists of several itself, or is too large with the others. */
enum { TW_MOST_JOINED = 16 };
int tw_graph_join_into(struct tw_graph *empty, const struct tw_joined_graph *, int n, struct tw_error *err);

/* Getters, valid after tw_graph_finish, the numbers of tasks, data and kernels and tw_graph_data_bytes also before.
 * For unknown tasks, handles and kernels they return 0, TW_NONE, false, NULL or "", and a run fails. */
tw_task tw_graph_n_tasks(const struct tw_graph *); /* number of tasks; in a run, with those of reductions */
tw_data tw_graph_n_data(const struct tw_graph *);  /* number of handles; in a run, with accumulators */
int tw_graph_n_kernels(const struct tw_graph *);   /* number of kernels */
const char *tw_graph_kernel_name(const struct tw_graph *, tw_kernel); /* such as "gemm" */
const char *tw_graph_kernel_size(const struct tw_graph *, tw_kernel); /* such as "960" */
double tw_graph_kernel_flops(const struct tw_graph *, tw_kernel);     /* flops of one execution; 0: unknown */
tw_kernel tw_graph_task_kernel(const struct tw_graph *, tw_task);     /* the kernel of the task */
int32_t tw_graph_priority(const struct tw_graph *, tw_task);          /* priority that the workload gave the task */
bool tw_graph_is_critical(const struct tw_graph *, tw_task);          /* whether the workload marked it so */
int tw_graph_n_accesses(const struct tw_graph *, tw_task);            /* number of handles that the task accesses */
struct tw_access tw_graph_access(const struct tw_graph *, tw_task, int index);
int tw_graph_most_accesses(const struct tw_graph *);            /* of any task, also those of reductions; at least 2 */
uint64_t tw_graph_data_bytes(const struct tw_graph *, tw_data); /* size of the handle, in bytes */
tw_data tw_graph_parent(const struct tw_graph *, tw_data);      /* the handle of which it is a part, or TW_NONE */
tw_data tw_graph_parts(const struct tw_graph *, tw_data, int *n); /* its first part, or TW_NONE; *n: their number */
int tw_graph_n_predecessors(const struct tw_graph *, tw_task);    /* number of tasks that the task depends on */
/* Returns the number of tasks inside a recursive task, also of those inside others; they follow it. 0: it is none. */
tw_task tw_graph_n_inside(const struct tw_graph *, tw_task);
tw_task tw_graph_around(const struct tw_graph *, tw_task); /* the recursive task around it, or TW_NONE */
const tw_task *tw_graph_successors(const struct tw_graph *, tw_task, int *n); /* *n tasks, ascending */
/* Returns the date in seconds at which the task's graph arrives, if a run has several; 0: at the begin of the run. */
double tw_graph_arrival(const struct tw_graph *, tw_task);
double tw_graph_flops(const struct tw_graph *); /* flops of the whole graph; 0: unknown */
const struct tw_recorded_place *tw_graph_recorded_place(const struct tw_graph *, tw_task); /* NULL: not recorded */
void tw_graph_set_priority(struct tw_graph *, tw_task, int32_t priority); /* clears the task's mark as critical */

/* Fills levels[tasks] with bottom levels, in seconds. A task's bottom level is the longest path from its start to the
 * end of the graph, where a task of kernel k takes seconds[k]. Returns the greatest level: the critical path. */
double tw_graph_bottom_levels(const struct tw_graph *, const double *seconds, double *levels);

#ifdef __cplusplus
}
#endif
#endif
