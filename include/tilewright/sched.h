/* What policies see of a run, and what they may ask of it.
 *
 * Every time here is a *belief*: what a scheduler can know from models. Truth is the engine's.
 * Dates and durations are seconds. Functions take constant time, or time linear in the task's accesses, the memories or the
 * workers. */
#ifndef TILEWRIGHT_SCHED_H
#define TILEWRIGHT_SCHED_H

#include <tilewright/graph.h>
#include <tilewright/params.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_sched;

double tw_now(const struct tw_sched *);
/* Tasks have numbers below this: those of the graph, and those that its reductions may append while it runs. */
tw_task tw_max_tasks(const struct tw_sched *);
/* So many tasks may be submitted and not done; 0: no limit. What is not submitted is not pushed, whatever it waits for. */
int64_t tw_submission_window(const struct tw_sched *);
/* Whether the program, which submits one task after the other, has come to this one. What reductions append is submitted always. */
bool tw_task_is_submitted(const struct tw_sched *, tw_task);
const struct tw_graph *tw_sched_graph(const struct tw_sched *);
const struct tw_args *tw_sched_args(const struct tw_sched *); /* the policy's own parameters */

/* Workers: 0 .. n-1, accelerators first. */
tw_worker tw_n_workers(const struct tw_sched *);
tw_node tw_worker_node(const struct tw_sched *, tw_worker);
tw_arch tw_worker_arch(const struct tw_sched *, tw_worker);
bool tw_worker_is_accelerator(const struct tw_sched *, tw_worker);
/* Cores that work on its tasks together: those of a group (--cpu-groups), else 1; of an accelerator 1. */
int tw_worker_cores(const struct tw_sched *, tw_worker);
/* Power while it waits and while it computes; NAN: the platform does not tell (docs/reference/platforms.md, wattage_per_state). */
double tw_worker_idle_watts(const struct tw_sched *, tw_worker);
double tw_worker_busy_watts(const struct tw_sched *, tw_worker);
int tw_n_archs(const struct tw_sched *);

/* Memory nodes: 0 (main memory) .. n-1. */
tw_node tw_n_nodes(const struct tw_sched *);
uint64_t tw_node_capacity(const struct tw_sched *, tw_node); /* bytes; UINT64_MAX: unbounded */
uint64_t tw_node_used(const struct tw_sched *, tw_node);     /* bytes taken now */
/* Whether an empty node has room for all data of the graph at once, accumulators included. */
bool tw_node_holds_all(const struct tw_sched *, tw_node);

/* Tasks. */
/* What the policy sees of it, by its flags and the graph's scope of priorities. */
int32_t tw_task_priority(const struct tw_sched *, tw_task);
int tw_task_n_accesses(const struct tw_sched *, tw_task);
struct tw_access tw_task_access(const struct tw_sched *, tw_task, int index);
/* Predicted execution time; INFINITY where the task cannot run. */
double tw_task_length(const struct tw_sched *, tw_task, tw_worker);
/* Predicted time to bring to `node` what the task reads and what is neither valid there nor on its way. */
double tw_task_transfer_time(const struct tw_sched *, tw_task, tw_node);

/* What a task's data lack on a node, in bytes: those not valid there; of them, those whose turn to be loaded has not come either;
 * those that have no room there yet. In this order less is better. */
struct tw_lack {
	uint64_t not_valid, not_loading, not_allocated;
};
#define TW_LACKS_ALL ((struct tw_lack){UINT64_MAX, UINT64_MAX, UINT64_MAX})

/* True if the task lacks less on the node than `least`, which then says what. */
bool tw_task_lacks_less(const struct tw_sched *, tw_task, tw_node, struct tw_lack *least);

/* For policies that keep what tasks lack: data whose copies on the node have changed since the last call with the
 * same `*seen` (0 at first), some of them more than once. `changed` has room for TW_MOST_CHANGES. Returns how
 * many; TW_NONE: there were more, `changed` is not filled, and all that was kept may be wrong. */
enum { TW_MOST_CHANGES = 64 };
int tw_copies_changed(const struct tw_sched *, tw_node, uint64_t *seen, tw_data *changed);

/* Data. From this number on they are accumulators, one for each worker, by their numbers, for each data that is reduced. */
tw_data tw_first_accumulator(const struct tw_sched *);
/* The worker's accumulator for a data that is accessed with TW_REDUX. */
tw_data tw_accumulator(const struct tw_sched *, tw_data, tw_worker);
uint64_t tw_data_bytes(const struct tw_sched *, tw_data);
bool tw_data_valid(const struct tw_sched *, tw_data, tw_node);
/* Where it is valid among 64 nodes: bit i is for node first + i. `first`: a multiple of 64. */
uint64_t tw_data_valid_nodes(const struct tw_sched *, tw_data, tw_node first);
bool tw_data_incoming(const struct tw_sched *, tw_data, tw_node);        /* requested there, not yet valid */
bool tw_data_allocated(const struct tw_sched *, tw_data, tw_node);       /* has room there, valid or not */
double tw_data_transfer_time(const struct tw_sched *, tw_data, tw_node); /* from its best source */
/* The same, but that other transfers (runtime parameter contention) slow it down by that factor at most. */
double tw_data_transfer_time_slowed(const struct tw_sched *, tw_data, tw_node, double most_slowdown);
/* The same to each node: fills seconds[tw_n_nodes()]. 0 where it is valid; INFINITY to all if it is valid nowhere. */
void tw_data_transfer_times_slowed(const struct tw_sched *, tw_data, double most_slowdown, double *seconds);

/* Predicted time of a copy of so many bytes, by the whole way; 0 to the node itself. */
double tw_transfer_time(const struct tw_sched *, tw_node from, tw_node to, uint64_t bytes);

/* Uniform in [0, 1), from the policy's own stream of the run's seed. */
double tw_random(struct tw_sched *);

/* Actions. */

/* Tells a worker, or TW_ALL, that a task may wait for it. A push that wakes nobody leaves the task to workers that ask
 * anyway. */
enum { TW_ALL = -2 };
void tw_wake(struct tw_sched *, tw_worker);
struct tw_id_set; /* containers.h */
/* The same for all workers in a set, in the order of their numbers; what is no worker's is ignored. */
void tw_wake_set(struct tw_sched *, const struct tw_id_set *);
/* Tells the workers that sleep and can run the task, in the order of their ids, up to the first that was not told before;
 * under the runtime parameter order=idle_time, the longest idle alone. */
void tw_wake_first_idle(struct tw_sched *, tw_task);

/* Asks for the data of a task on `node`, with its priority and, if it is ready, its access modes: a prefetch for writing moves
 * the ownership when it lands. May come to nothing when memory is short. A task's data are prefetched for one node at a time:
 * asked for another, the first need not keep them. Nothing happens when a worker has the task. */
void tw_prefetch_task(struct tw_sched *, tw_task, tw_node);
/* Asks for a readable copy of one data on `node`. */
void tw_prefetch_data(struct tw_sched *, tw_data, tw_node);

/* A figure of the policy's own, for the result's column `counters`: name=value. Letters, digits and '_'; at most
 * TW_MAX_FIGURES names, at most 31 characters each (assert). Said again, the last value counts; usually said in finish(). */
enum { TW_MAX_FIGURES = 16 };
void tw_report(struct tw_sched *, const char *name, double value);

/* The task whose kernel runs on the worker, and since when (as far as the runtime has noticed); TW_NONE: none does. O(1). */
tw_task tw_running_task(const struct tw_sched *, tw_worker, double *start);
/* Whether this engine can cancel kernels: simulating ones can. Policies that must refuse others, in `init`. */
bool tw_can_cancel(const struct tw_sched *);
/* Ends the kernel that runs on the worker at once (spoliation). What it has done is lost, what it was about to write is as it
 * was before; its task is ready again and the policy's, as if it had never been popped: pop must give it to a worker once more.
 * Returns the task; TW_NONE: no kernel runs there, or none that can be cancelled any more. */
tw_task tw_cancel(struct tw_sched *, tw_worker);

/* Ends the run with an error (TW_FAILED), as when a policy runs out of memory in the middle of it. */
void tw_abort_run(struct tw_sched *, const char *message);

#ifdef __cplusplus
}
#endif
#endif
