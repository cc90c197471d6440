/* Task graphs, built as a sequential program submits its tasks.
 *
 * Dependencies are implied by the data accesses (Augonnet 2011, section 2.5.2): for each data the graph
 * remembers its last writer and the readers since then. A reader depends on the last writer; a writer on all
 * those readers if there are any (the list is then emptied), else on the last writer.
 * Beyond these: tasks that access a data with TW_REDUX, one after the other, are a reduction (section 2.5.3): each waits
 * for what came before, not for the others, and adds to an accumulator of its worker's own; once all are done, tasks
 * appended at run time combine the accumulators and the data, and what comes after waits for these. TW_SCRATCH gives a
 * task room on its node for as long as it runs (on a node where several workers compute, room for each of them), and
 * implies nothing.
 * Workload plug-ins fill a graph that the library made; programs make their own with tw_graph_create. */
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
	TW_SCRATCH = 4, /* the data is never accessed otherwise */
	TW_REDUX = 8    /* needs tw_graph_reduction first */
};

const char *tw_mode_name(enum tw_mode); /* "R", "W", "RW", "SCRATCH", "REDUX" */

enum { TW_MAX_ACCESSES = 256 }; /* of one task */

struct tw_access {
	tw_data data;
	enum tw_mode mode;
};

/* Which policies see the tasks' priorities; the others see 0 everywhere, or what is critical (tw_graph_mark_critical). Transfers
 * for a task have the priority that the policy sees. */
enum tw_priority_scope {
	TW_PRIORITY_FOR_SORTING, /* those that sort by priority (TW_SORTS_BY_PRIORITY), as in StarPU's Cholesky */
	TW_PRIORITY_FOR_LOOKING, /* those and the ones with TW_SEES_CRITICAL, as in StarPU's LU */
	TW_PRIORITY_FOR_ALL      /* all */
};
enum { TW_N_PRIORITY_SCOPES = 3 };
const char *tw_priority_scope_name(enum tw_priority_scope); /* "sorting", "looking", "all" */

struct tw_graph;

struct tw_graph *tw_graph_create(void); /* NULL: out of memory */
void tw_graph_destroy(struct tw_graph *);

/* The builders keep the first error (out of memory, a bad argument) for tw_graph_finish. */

/* A data of `bytes` > 0; it starts valid on its home node. */
tw_data tw_graph_data(struct tw_graph *, uint64_t bytes);

/* How accumulators of the data are combined: by tasks of this kernel, which add one data (R) to another (RW). */
void tw_graph_reduction(struct tw_graph *, tw_data, tw_kernel combine);

/* The kernel of that name on operands of that size, found or added. `size` is the tile side for square tiles
 * ("960"), else the ordered dimensions of the task's data ("960x3840+3840x960"); `precision` "s", "d", or "b" for bytes.
 * Kernel times are looked up by these three; "lu.gemm" has its own or, where none are known, those of "gemm". `flops`: of one
 * execution, for files, traces, and times that --extrapolate has to guess; of a kernel that is found, they stay as they
 * were. A graph has at most 65,536 kernels. The three are text: see tw_character_bytes. */
tw_kernel tw_graph_kernel(struct tw_graph *, const char *name, const char *size, const char *precision, double flops);

/* Tasks of this kernel run on workers of these archs alone: names as platforms give them, or the words "processors" and
 * "accelerators" for all of a kind, joined by '+'. Groups of cores go by their cores' names. NULL or never called: wherever the
 * kernel has a time. */
void tw_graph_restrict(struct tw_graph *, tw_kernel, const char *archs);

/* Tasks of this kernel that have seconds of their own (tw_graph_set_seconds) take these on workers of those archs; on
 * others, on groups of cores, and without, the kernel's times count. For graphs that come with recorded durations. */
void tw_graph_recorded_on(struct tw_graph *, tw_kernel, const char *archs);

/* Both in one, for kernels recorded on several kinds of workers: found or added among those recorded on just those archs.
 * All of one name, size and precision have the same times where they were not recorded. */
tw_kernel tw_graph_recorded_kernel(struct tw_graph *, const char *name, const char *size, const char *precision,
                                   double flops, const char *archs);

/* Appends a task that makes those accesses (each data at most once) and returns it. */
tw_task tw_graph_submit(struct tw_graph *, tw_kernel, int32_t priority, const struct tw_access *, int n_accesses);

/* What was recorded for the task: see tw_graph_recorded_on. Above 0, at most TW_MAX_SECONDS: clocks tell microseconds apart
 * only so far. */
#define TW_MAX_SECONDS 1e9
void tw_graph_set_seconds(struct tw_graph *, tw_task, double seconds);

/* Where the task ran in a recorded execution, so that the policy `replay` can put it there again. */
struct tw_recorded_place {
	bool accelerator;
	int32_t worker; /* from 0, among the processors or among the accelerators */
	int32_t order;  /* tasks with a lesser one ran on that worker before it */
};
void tw_graph_set_recorded_place(struct tw_graph *, tw_task, struct tw_recorded_place);

/* Marks a task as critical, and with it those that combine what it contributes to a reduction. This is what policies with few
 * priorities (TW_SEES_CRITICAL) see of priorities that are for those that sort: in StarPU's Cholesky such tasks have the greatest
 * priority there is, where the scheduler has a greatest one. */
void tw_graph_mark_critical(struct tw_graph *, tw_task);

/* The task submitted last also waits for an earlier one: an order that no data implies. Saying it twice does no harm. */
void tw_graph_depend(struct tw_graph *, tw_task on);

/* Hint, at this point of the program: nothing submitted later writes `data`, and what still reads it does so
 * soon. Once its last writer has ended, a runtime may copy it home and evict it first. */
void tw_graph_will_not_be_used(struct tw_graph *, tw_data);

/* The whole graph's flops in closed form; gflops of a result are this over the makespan. */
void tw_graph_set_flops(struct tw_graph *, double flops);
void tw_graph_set_priority_scope(struct tw_graph *, enum tw_priority_scope);

/* Ends the building: dependencies become successor lists. No submission after that; finishing again does nothing. */
int tw_graph_finish(struct tw_graph *, struct tw_error *err);

/* Reading; only after tw_graph_finish, save for the first two and tw_graph_data_bytes. */
tw_task tw_graph_n_tasks(const struct tw_graph *); /* in a run: those appended so far included */
tw_data tw_graph_n_data(const struct tw_graph *);  /* in a run: with accumulators */
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

/* Replaces a task's priority, and its mark as critical, for orders other than the workload's own. */
void tw_graph_set_priority(struct tw_graph *, tw_task, int32_t priority);

/* Longest path from the start of each task to the end of the graph, itself included, in seconds, when a task
 * of kernel k takes seconds[k]. `levels` has one entry per task. Returns the greatest: the critical path. */
double tw_graph_bottom_levels(const struct tw_graph *, const double *seconds, double *levels);

#ifdef __cplusplus
}
#endif
#endif
