/* Task graphs, built as a sequential program submits its tasks.
 *
 * Dependencies follow from the data accesses (Augonnet 2011, section 2.5.2). For each handle the graph keeps the last
 * writer and the readers since then. A reader depends on the last writer. A writer depends on all these readers, or on
 * the last writer if there are none; then the list of readers is emptied.
 *
 * Consecutive tasks that access a handle with TW_REDUX are a reduction (section 2.5.3). Each contributor depends on the
 * earlier accesses, not on other contributors, and adds to its worker's accumulator. When all contributors are done,
 * tasks appended at run time combine the accumulators and the handle. Later accesses depend on these.
 *
 * TW_SCRATCH allocates room on the task's node while the task runs, for each worker that computes there. It implies no
 * dependency.
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
	TW_SCRATCH = 4, /* a handle with this mode has no other modes */
	TW_REDUX = 8    /* needs tw_graph_reduction first */
};

const char *tw_mode_name(enum tw_mode); /* "R", "W", "RW", "SCRATCH", "REDUX" */

enum { TW_MAX_ACCESSES = 256 }; /* of one task */

struct tw_access {
	tw_data data;
	enum tw_mode mode;
};

/* The policies that see the tasks' priorities. Other policies see 0, or, with TW_SEES_CRITICAL, 1 for critical tasks
 * (tw_graph_mark_critical). Transfers for a task have the priority that the policy sees. */
enum tw_priority_scope {
	TW_PRIORITY_FOR_SORTING, /* policies with TW_SORTS_BY_PRIORITY, as in StarPU's Cholesky */
	TW_PRIORITY_FOR_LOOKING, /* policies with TW_SORTS_BY_PRIORITY or TW_SEES_CRITICAL, as in StarPU's LU */
	TW_PRIORITY_FOR_ALL      /* all policies */
};
enum { TW_N_PRIORITY_SCOPES = 3 };
const char *tw_priority_scope_name(enum tw_priority_scope); /* "sorting", "looking", "all" */

struct tw_graph;

struct tw_graph *tw_graph_create(void); /* NULL: out of memory */
void tw_graph_destroy(struct tw_graph *);

/* The builders keep the first error (out of memory, a bad argument) for tw_graph_finish. */

/* Adds a handle of `bytes` > 0, which is valid on its home node at the start. */
tw_data tw_graph_data(struct tw_graph *, uint64_t bytes);

/* Sets the kernel that combines accumulators of the handle: its tasks add one handle (R) to another (RW). */
void tw_graph_reduction(struct tw_graph *, tw_data, tw_kernel combine);

/* Finds or adds the kernel of that name, size and precision, by which kernel times are looked up. A kernel "lu.gemm"
 * without times takes those of "gemm". The size is the side of square tiles ("960"), or the ordered dimensions of the
 * operands ("960x3840+3840x960"). The precision is "s", "d", or "b" for bytes. All three are text: see
 * tw_character_bytes. `flops` is for one execution; files, traces and --extrapolate use it. If the kernel exists, it is
 * ignored. A graph has at most 65,536 kernels. */
tw_kernel tw_graph_kernel(struct tw_graph *, const char *name, const char *size, const char *precision, double flops);

/* Restricts tasks of this kernel to workers of some archs: names of the platform, "processors" or "accelerators",
 * joined by '+'. A group of cores has the name of its cores. NULL (the default): tasks run wherever the kernel has a
 * time. */
void tw_graph_restrict(struct tw_graph *, tw_kernel, const char *archs);

/* For graphs with recorded durations: on workers of those archs, tasks of this kernel take their recorded seconds
 * (tw_graph_set_seconds). The kernel's times count on other workers, on groups of cores, and for tasks without a
 * record. */
void tw_graph_recorded_on(struct tw_graph *, tw_kernel, const char *archs);

/* tw_graph_kernel and tw_graph_recorded_on in one: finds or adds a kernel recorded on exactly those archs. Kernels of
 * one name, size and precision have the same times where they were not recorded. */
tw_kernel tw_graph_recorded_kernel(struct tw_graph *, const char *name, const char *size, const char *precision,
                                   double flops, const char *archs);

/* Appends a task with those accesses (each handle at most once) and returns it. */
tw_task tw_graph_submit(struct tw_graph *, tw_kernel, int32_t priority, const struct tw_access *, int n_accesses);

/* Sets the recorded duration of a task (see tw_graph_recorded_on): above 0, at most TW_MAX_SECONDS. Clocks of doubles
 * do not resolve microseconds much beyond that. */
#define TW_MAX_SECONDS 1e9
void tw_graph_set_seconds(struct tw_graph *, tw_task, double seconds);

/* Where the task ran in a recorded execution, so that the policy `replay` can put it there again. */
struct tw_recorded_place {
	bool accelerator;
	int32_t worker; /* from 0, among the processors or among the accelerators */
	int32_t order;  /* the worker ran its tasks in ascending order of this */
};
void tw_graph_set_recorded_place(struct tw_graph *, tw_task, struct tw_recorded_place);

/* Marks a task as critical, and also the tasks that combine its contribution to a reduction. Under
 * TW_PRIORITY_FOR_SORTING, policies with TW_SEES_CRITICAL see this mark instead of priorities. StarPU's Cholesky gives
 * such tasks the scheduler's maximum priority, where it has one. */
void tw_graph_mark_critical(struct tw_graph *, tw_task);

/* Adds an explicit dependency of the last submitted task on an earlier one. Repetitions have no effect. */
void tw_graph_depend(struct tw_graph *, tw_task on);

/* Hint at this point of the program: no later task writes the handle, and its remaining readers run soon. After its
 * last writer has ended, a runtime may write it back and evict it first. */
void tw_graph_will_not_be_used(struct tw_graph *, tw_data);

/* The flops of the whole graph, in closed form. The gflops of a result are these flops over the makespan. */
void tw_graph_set_flops(struct tw_graph *, double flops);
void tw_graph_set_priority_scope(struct tw_graph *, enum tw_priority_scope);

/* Ends the building and turns dependencies into successor lists. Do not submit tasks later. A second call does
 * nothing. */
int tw_graph_finish(struct tw_graph *, struct tw_error *err);

/* Getters, valid after tw_graph_finish; the first two and tw_graph_data_bytes are valid before it, too. */
tw_task tw_graph_n_tasks(const struct tw_graph *); /* in a run, with the tasks that reductions have appended */
tw_data tw_graph_n_data(const struct tw_graph *);  /* in a run, with accumulators */
int tw_graph_n_kernels(const struct tw_graph *);
const char *tw_graph_kernel_name(const struct tw_graph *, tw_kernel);
tw_kernel tw_graph_task_kernel(const struct tw_graph *, tw_task);
int32_t tw_graph_priority(const struct tw_graph *, tw_task);
bool tw_graph_is_critical(const struct tw_graph *, tw_task);
int tw_graph_n_accesses(const struct tw_graph *, tw_task);
struct tw_access tw_graph_access(const struct tw_graph *, tw_task, int index);
uint64_t tw_graph_data_bytes(const struct tw_graph *, tw_data);
int tw_graph_n_predecessors(const struct tw_graph *, tw_task);
const tw_task *tw_graph_successors(const struct tw_graph *, tw_task, int *n); /* ascending */
double tw_graph_flops(const struct tw_graph *);
const struct tw_recorded_place *tw_graph_recorded_place(const struct tw_graph *, tw_task); /* NULL: none is known */

/* Replaces the workload's priority of a task and clears its mark as critical. */
void tw_graph_set_priority(struct tw_graph *, tw_task, int32_t priority);

/* Fills levels[tasks] with bottom levels: the longest path, in seconds, from the start of a task to the end of the
 * graph. A task of kernel k takes seconds[k]. Returns the greatest level, which is the critical path. */
double tw_graph_bottom_levels(const struct tw_graph *, const double *seconds, double *levels);

#ifdef __cplusplus
}
#endif
#endif
