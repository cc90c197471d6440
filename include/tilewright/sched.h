/* The view of a run that policies get, and the actions that a policy may ask for.
 *
 * Every time here is a *belief*, predicted from models as a scheduler would; the true times are in the engine. Dates
 * and durations are seconds. Functions take constant time, or time linear in a task's accesses, memories or workers. A
 * wrong argument ends the run with an error that names the function, which returns 0, NULL, INFINITY or TW_NONE. */
#ifndef TILEWRIGHT_SCHED_H
#define TILEWRIGHT_SCHED_H

#include <tilewright/graph.h>
#include <tilewright/params.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_sched;
struct tw_id_set; /* see containers.h */
/* Memory for policies and eviction policies. As tw_alloc and tw_resize, but the run frees it, after `finish`. `array`
 * comes from these functions or is NULL. tw_run_id_set makes an empty set for identifiers below `capacity`. */
void *tw_run_alloc(const struct tw_sched *, size_t n, size_t element_bytes);
void *tw_run_resize(const struct tw_sched *, void *array, size_t n, size_t element_bytes);
struct tw_id_set tw_run_id_set(const struct tw_sched *, int32_t capacity);

double tw_now(const struct tw_sched *); /* the date, in seconds from the begin of the run */
/* Returns an upper bound of task numbers, which includes the tasks that reductions may append during the run. */
tw_task tw_max_tasks(const struct tw_sched *);
/* Returns the greatest number of tasks that may be submitted and not done at one time; 0: no limit. A ready task is
 * pushed only after its submission. */
int64_t tw_submission_window(const struct tw_sched *);
/* Whether the program has submitted the task. True for tasks that reductions append. */
bool tw_task_is_submitted(const struct tw_sched *, tw_task);
const struct tw_graph *tw_sched_graph(const struct tw_sched *);
const struct tw_args *tw_sched_args(const struct tw_sched *); /* returns the policy's own parameters */
/* Returns the context of the run's options (run.h); NULL: the program gave none. */
void *tw_sched_context(const struct tw_sched *);

/* Returns the number of workers: those of the policy's domain. They have numbers 0 .. tw_n_workers() - 1; accelerators
 * come first. */
tw_worker tw_n_workers(const struct tw_sched *);
tw_node tw_worker_node(const struct tw_sched *, tw_worker);        /* the memory where the worker computes */
tw_arch tw_worker_arch(const struct tw_sched *, tw_worker);        /* the worker's kind, below tw_n_archs() */
bool tw_worker_is_accelerator(const struct tw_sched *, tw_worker); /* whether the worker is a GPU */
/* Returns the number of cores of the worker, which compute a task together: 1, or the size of a group (--cpu-groups) */
int tw_worker_cores(const struct tw_sched *, tw_worker);
/* Returns the socket of a core: workers of one memory with one number share it. 0 on platforms that state none. */
int tw_worker_socket(const struct tw_sched *, tw_worker);
/* Returns the worker's power in watts while it idles, or while it computes. NAN: the platform states none
 * (wattage_per_state, docs/reference/platforms.md). */
double tw_worker_idle_watts(const struct tw_sched *, tw_worker);
double tw_worker_busy_watts(const struct tw_sched *, tw_worker); /* as tw_worker_idle_watts, while it computes */
int tw_n_archs(const struct tw_sched *);                         /* number of kinds of workers */

/* Returns the number of memory nodes. They have numbers 0 (main memory) .. tw_n_nodes() - 1. */
tw_node tw_n_nodes(const struct tw_sched *);
uint64_t tw_node_capacity(const struct tw_sched *, tw_node); /* size in bytes; UINT64_MAX: unbounded */
uint64_t tw_node_used(const struct tw_sched *, tw_node);     /* bytes now allocated on the node */
/* Whether the node, if it were empty, would have room for all data of the graph at once, including accumulators. */
bool tw_node_holds_all(const struct tw_sched *, tw_node);

/* --- tasks --- */
/* Returns the priority that the policy sees. It depends on the policy's flags and the graph's scope of priorities. */
int32_t tw_task_priority(const struct tw_sched *, tw_task);
int tw_task_n_accesses(const struct tw_sched *, tw_task); /* number of handles that the task accesses */
struct tw_access tw_task_access(const struct tw_sched *, tw_task, int index);
/* Whether the task belongs to the policy's scheduling domain (docs/reference/domains.md). The policy gets no others,
 * but sees them in the graph. Without domains, all tasks are its own. Policies that plan tasks ahead must ask. */
bool tw_task_is_mine(const struct tw_sched *, tw_task);
/* Returns the predicted execution time of the task on the worker; INFINITY: the task cannot run on that worker. */
double tw_task_length(const struct tw_sched *, tw_task, tw_worker);
/* Returns the class of the task, from 0 to tw_n_task_classes() - 1. Tasks of one class have one kernel, and the same
 * workers can run them. A kernel has several classes if seconds of their own let tasks run on more workers. */
int tw_task_class(const struct tw_sched *, tw_task);
int tw_n_task_classes(const struct tw_sched *); /* number of classes, see tw_task_class */
/* Returns the predicted time of the transfers to the node that the task still needs. These are the transfers of handles
 * that the task reads and that are neither valid on the node nor incoming. */
double tw_task_transfer_time(const struct tw_sched *, tw_task, tw_node);
/* Fills seconds[tw_n_nodes()] with tw_task_transfer_time() of each node; much faster than to ask for many nodes. */
void tw_task_transfer_times(const struct tw_sched *, tw_task, double *seconds);

/* Bytes of a task's data that are not valid on a node. `not_loading`: the part of them that is not yet loading.
 * `not_allocated`: the part that has no allocation. Two lacks are compared by the first member that differs. */
struct tw_lack {
	uint64_t not_valid, not_loading, not_allocated;
};
#define TW_LACKS_ALL ((struct tw_lack){UINT64_MAX, UINT64_MAX, UINT64_MAX})

/* If the task lacks less on the node than `*least`, stores the task's lack in `*least` and returns true. */
bool tw_task_lacks_less(const struct tw_sched *, tw_task, tw_node, struct tw_lack *least);

/* For policies that cache lacks. Fills changed[TW_MOST_CHANGES] with the handles whose copies on the node changed since
 * the last call with the same `*seen` (0 before the first call). A handle may occur twice. Returns the number of
 * entries. TW_NONE: more handles changed, `changed` is not filled, and all cached lacks may be wrong. */
enum { TW_MOST_CHANGES = 64 };
int tw_copies_changed(const struct tw_sched *, tw_node, uint64_t *seen, tw_data *changed);

/* Returns the number of the first accumulator, or of the handle behind the last if there are none. All handles from
 * this number on are accumulators: for each reduced handle, one per worker of all domains. */
tw_data tw_first_accumulator(const struct tw_sched *);
/* Returns the worker's accumulator for a handle that tasks access with TW_REDUX. */
tw_data tw_accumulator(const struct tw_sched *, tw_data, tw_worker);
/* Returns the handle of an accumulator; of another handle, the handle itself. */
tw_data tw_accumulated(const struct tw_sched *, tw_data);
uint64_t tw_data_bytes(const struct tw_sched *, tw_data);      /* size of the handle, in bytes */
bool tw_data_valid(const struct tw_sched *, tw_data, tw_node); /* whether a copy on the node is valid */
/* Returns the nodes where the handle is valid as a bit set: bit i is for node first + i. `first`: a multiple of 64. */
uint64_t tw_data_valid_nodes(const struct tw_sched *, tw_data, tw_node first);
bool tw_data_incoming(const struct tw_sched *, tw_data, tw_node);  /* whether it is requested, and not yet valid */
bool tw_data_allocated(const struct tw_sched *, tw_data, tw_node); /* whether it has room there, valid or not */
double tw_data_transfer_time(const struct tw_sched *, tw_data, tw_node); /* seconds, from the fastest source */
/* As tw_data_transfer_time, with the slowdown by other transfers limited to `most_slowdown` (runtime parameter
 * contention). 0: the handle is valid there. INFINITY: it is nowhere. The second function does so for all nodes. */
double tw_data_transfer_time_slowed(const struct tw_sched *, tw_data, tw_node, double most_slowdown);
void tw_data_transfer_times_slowed(const struct tw_sched *, tw_data, double most_slowdown, double *seconds);

/* Returns the predicted time of a transfer of `bytes` over the whole route; 0 if from == to. */
double tw_transfer_time(const struct tw_sched *, tw_node from, tw_node to, uint64_t bytes);

/* Returns a random number, uniform in [0, 1), from the policy's own stream of the run's seed. */
double tw_random(struct tw_sched *);

/* The plug-in has looked at n more candidates for a decision, such as tasks of a queue, handles or packages. Each one
 * costs the time that the runtime parameter scan_cost says, 0 by default. The thread that waits for the decision pays:
 * the worker that pops or has ended a task, the submitting thread, or the thread that issues transfers into a full
 * memory. Looks in `init` come before the run (option --decision-cost). A candidate counts once per decision. */
#define TW_MOST_LOOKS (INT64_C(1) << 50) /* greatest sum of n over all calls of a run */
void tw_looked_at(const struct tw_sched *, int64_t n);
bool tw_looks_cost(const struct tw_sched *); /* whether looks cost time; otherwise a policy need not count them */

/* --- actions --- */

/* Wakes a worker, or all with TW_ALL, because there may be a task for it. If a push wakes no worker, only workers that
 * pop anyway can get the task. */
enum { TW_ALL = -2 };
void tw_wake(struct tw_sched *, tw_worker);
/* Wakes all workers of the set, in the order of their numbers. Ignores numbers that are no worker's. */
void tw_wake_set(struct tw_sched *, const struct tw_id_set *);
/* Wakes the sleeping workers that can run the task, in the order of their numbers. Stops after the first worker that
 * was not woken already. With the runtime parameter order=idle_time, wakes only one: of the workers not woken already,
 * the one that has slept longest, accelerators first. */
void tw_wake_first_idle(struct tw_sched *, tw_task);

/* Parallel tasks (thesis, section 4.2.2; docs/reference/parallel-tasks.md): CPU workers of one kind and one memory run
 * a task together. Returns the most workers like this one that can; 1: this worker runs no parallel tasks, or the run
 * has none (--max-parallelism). */
int tw_max_parallelism(const struct tw_sched *, tw_worker);
/* Returns the predicted time of the task on n workers like this one; INFINITY: so many do not run it together. */
double tw_parallel_length(const struct tw_sched *, tw_task, tw_worker, int n);
/* Lets n workers run the task, which is ready and not popped. Each of them must then pop it. The first to do so fetches
 * its data, and is the one of which `started` and `done` tell. The kernel starts when all have popped the task and have
 * ended what they popped before. n = 1 changes nothing. Workers must get their common tasks in one order. Else they
 * wait for each other, and the run fails. Such a task cannot be cancelled. */
void tw_combine(struct tw_sched *, tw_task, const tw_worker *workers, int n);

/* Tells the policies of other domains with the worker that it will run the task (see `placed` in policy.h). For
 * policies that place tasks before a worker asks for them. Does nothing if no other domain has the worker. */
void tw_place(struct tw_sched *, tw_task, tw_worker);

/* Prefetches the data that a task reads to `node`, with the task's priority. If the task is ready, a prefetch has the
 * mode of the access: a landed prefetch with TW_RW also invalidates the handle's other copies. The runtime may drop
 * prefetches when memory is short. A prefetch for another node replaces the task's earlier one. Does nothing if a
 * worker has taken the task. */
void tw_prefetch_task(struct tw_sched *, tw_task, tw_node);
void tw_prefetch_data(struct tw_sched *, tw_data, tw_node); /* prefetches a readable copy of one handle */

struct tw_planned_use; /* see policy.h */
/* For policies with `planned_use`: uses[d] is its answer for handle d on the node, until the run ends. An eviction
 * policy reads this array faster than it can call a function for each handle in a memory. */
void tw_show_planned_uses(struct tw_sched *, tw_node, const struct tw_planned_use *uses);
/* Whether the eviction policy of the run reads planned uses (TW_NEEDS_PLAN); otherwise a policy need not keep them. */
bool tw_plans_are_read(const struct tw_sched *);

/* Reports a figure of the policy as name=value in the result's column `counters`. Policies usually call it in finish().
 * A name has at most 31 letters, digits and '_'; there are at most TW_MAX_FIGURES names. A second call with the same
 * name replaces the value. With scheduling domains, the domain's name and '.' come before the figure's. */
enum { TW_MAX_FIGURES = 16 };
void tw_report(struct tw_sched *, const char *name, double value);

/* Returns the task, of any domain, whose kernel runs on the worker, and sets `*start` to the date when the kernel
 * started, as far as the runtime has noticed. TW_NONE: no kernel runs. O(1). */
tw_task tw_running_task(const struct tw_sched *, tw_worker, double *start);
/* Whether the engine can cancel kernels: simulating engines can. A policy that cancels checks this in `init`. */
bool tw_can_cancel(const struct tw_sched *);
/* Cancels the kernel that runs on the worker (spoliation). The kernel's work is lost, and the handles that the task
 * writes keep their old content. The task is ready again, and the policy must let a worker pop it again. Returns the
 * task. TW_NONE: no kernel runs on the worker, or only one of another domain, or it can no longer be cancelled. */
tw_task tw_cancel(struct tw_sched *, tw_worker);

/* Ends the run with an error (TW_FAILED). */
void tw_abort_run(struct tw_sched *, const char *message);

#ifdef __cplusplus
}
#endif
#endif
