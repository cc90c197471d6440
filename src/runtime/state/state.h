/* The state of a run. Only src/runtime sees its members and changes them. docs/architecture.md says which file does
 * what. */
#ifndef TW__STATE_H
#define TW__STATE_H

#include <assert.h>

#include <tilewright/containers.h>

#include "base/bits.h"
#include "base/date.h"
#include "base/heap.h"
#include "base/random.h"
#include "perf/classes.h"
#include "runtime/run.h"
#include "runtime/state/idle.h"

/* Structs that state/threads.h defines. */
struct driver;
struct hold;
struct node_threads;
struct submitter;
struct team;     /* teams.h */
struct filters;  /* filters.h */
struct messages; /* messages.c */
/* Structs that state/copies.h defines. */
struct data;
struct replicate;
struct flag_changes;
/* Structs that state/request.h or transfers/channel.h defines. */
struct channel;
struct issued_list;
struct prefetched;
struct request;
struct waiter;
/* A struct that memory/memory_state.h defines, for src/runtime/memory/ alone. */
struct memory;

/* The part of a memory's state that other folders may read. Only src/runtime/memory/ changes it. */
struct pressure {
	uint64_t used;               /* bytes of allocated copies */
	struct request *beneficiary; /* the request for which victims leave the memory, or NULL */
	tw_data victim;              /* the handle whose copy is being written back as a victim, or TW_NONE */
	struct hold *drained_for;    /* the task for which all copies leave the memory (memory/admit.c), or NULL */
};

/* The costs of the runtime's steps in ns, from the model's parameters (params.h). */
struct costs {
	tw__ns submit, push, fetch, poll, kernel_queue, transfer_queue, alloc, turn, scan, message, receive_chunk;
};

/* States of a task, in place of the number of its predecessors. UNPUSHED: all have ended, and its policy gets it
 * soon. ASSIGNED: a worker has popped the task. */
static const uint32_t UNPUSHED = UINT32_MAX - 1, ASSIGNED = UINT32_MAX;

/* The priorities that policies see (tw_task_priority): it depends on the task's policy; those of the graph; 1 for
 * critical tasks; none. */
enum priorities { PRIORITIES_BY_POLICY, PRIORITIES_AS_GIVEN, PRIORITIES_CRITICAL, PRIORITIES_UNSEEN };

struct tw__rt {
	const struct tw__run_input *in;
	const struct tw_graph *graph;
	/* the graph with reductions, to which the run appends tasks (then `graph` is the same); else NULL */
	struct tw_graph *extended;
	const struct tw__platform *platform;
	const struct tw__runtime_params *params;
	struct costs cost;
	const struct tw__engine_ops *ops;
	struct tw__engine *engine;
	tw__ns engine_next;     /* when the engine says its next end is; TW__UNKNOWN: ask; 0: the engine does not say */
	struct tw_sched *views; /* [domains] what their policies see (state/domain.h) */
	struct tw_sched *root;  /* what the eviction policy sees: all workers */
	struct tw_sched *only;  /* the view of the only policy, after its init; NULL: there are several */
	uint8_t *domain_of;     /* [tasks that there may be] domain of each; NULL: the run has no domains */
	uint64_t *is_placed;    /* set of the tasks whose worker other domains know; NULL: as above */
	uint8_t *asks_first;    /* [workers] the domain that the worker asks first for its next task */
	unsigned common_flags;  /* the flags that all policies have */
	enum priorities priorities;
	struct tw__child *newest_child; /* the child that was made last (state/child.c); NULL: no policy has children */
	bool makes_children;            /* whether the init functions of policies run, which may make children */
	int n_planning;                 /* number of policies that plan ahead */
	struct uses *uses; /* planned uses from the order of submission (uses.h); NULL: policies plan, or nobody asks */
	void *eviction_state;
	struct tw__arena *plugins_memory; /* the arena of tw_run_alloc */
	/* [nodes] what the policy has shown of its plan; NULL: nothing, or several policies plan */
	const struct tw_planned_use **planned_uses;
	struct tw__random *eviction_random, *order_random;
	struct tw_error *err;
	int status;
	unsigned n_wrong_calls; /* wrong calls of the process (base/door.h) when the run last looked for its own */
	bool has_begun;         /* whether the init functions of the plug-ins succeeded */
	bool draining;          /* whether the last task is done, or the run has failed; then no task begins any more */
	int n_under_way;        /* number of kernels and transfers that the engine has begun and not ended */
	tw__ns now;
	uint64_t sequence;

	/* [tasks] predecessors that have not ended, + 1 until the task is submitted; 0: pushed; or a state above */
	uint32_t *remaining;
	struct prefetched *prefetched; /* [tasks] where the handles of each task are prefetched */
	uint64_t *awaits_turn; /* set of the accesses whose requests wait for their turn; NULL unless prefetch_apart */
	struct tw__classes classes; /* of tasks, by the workers that can run them */
	bool *sync_kernel; /* [kernels] whether the kernel blocks an accelerator's thread (parameter sync_kernels) */
	tw__ns *launch_blocks;       /* [kernels] how long a launch blocks an accelerator's thread; NULL: none does */
	uint32_t *contributors_left; /* [phases of reductions] contributing tasks that have not ended */
	/* [data] number of contributions that an accumulator has now; 0 after it was combined */
	uint32_t *contributions;
	tw_task *appended; /* ready tasks that reductions have appended; the next threads that end a task push them */
	int first_appended, n_appended;
	tw_task *inside_left; /* [own tasks] tasks inside of a split one that are not done; NULL: none is recursive */
	struct filters *filters;   /* divided handles (filters.h); NULL: there are none */
	struct messages *messages; /* of a node of a cluster; NULL: the run is of no cluster */
	int n_unpinned;            /* receives that wait for a worker to pin a buffer (buffers.c) */
	int n_awaited;             /* ends of messages that are ready, and wait for the other end or the transfer */
	struct team **teams;       /* [tasks] the team of each parallel task; NULL: there are none */
	struct team *unused_teams;
	tw_task n_own_tasks;     /* number of tasks without those that reductions append */
	tw_task n_ready, n_done; /* numbers of tasks; n_ready: pushed and not popped */
	tw__ns last_release;     /* date of the last one; at the end, when all handles are where they must be */
	enum { ENDS_LATER, ENDS_OF_CARDS, ENDS_OF_MAINS } ends; /* after the last task, in this order: see ends.c */
	int n_ends; /* number of memories of this kind where handles are missing */
	tw__ns last_push;
	int64_t n_vain_pops; /* since the last push */

	struct submitter *submitters; /* [n_submitters] one for each graph */
	int n_submitters;
	struct submitter *next_submitter; /* the one with the earliest date */

	int n_nodes;
	tw_node n_mains;     /* number of main memories, which are the first nodes */
	size_t node_words;   /* number of 64-bit words in a set of nodes */
	size_t lane_words;   /* number of 64-bit words in a set of lanes (lane_of) */
	uint64_t *node_sets; /* [data][N_NODE_SETS][node_words] the sets of nodes of each handle */
	struct data *data;
	uint32_t *uses_left; /* [data] accesses of tasks that have not ended, of discarded handles; NULL: none */
	/* [nodes][data] Number of each copy; 0: there has been none so far. Numbers are given from 1, in the order in
	 * which copies come to be. Most nodes never have most handles, so `replicates` is mostly untouched. */
	uint32_t **copy_numbers;
	struct replicate *replicates; /* [data * nodes + 1] by number; number 0 stands for copies that there are not */
	uint32_t n_replicates;        /* number of copies that have a number */
	uint8_t **copies;             /* [nodes][data] COPY_ flags; unbounded nodes: COPY_ALLOCATED is always set */
	struct tw__homes homes;
	uint64_t *untouched;       /* set of the handles whose first touch is to come (homes=first_touch); NULL: none */
	uint64_t *capacity;        /* [nodes] usable bytes of each memory; UINT64_MAX: unbounded */
	struct memory *memory;     /* [nodes] the state of each memory */
	struct pressure *pressure; /* [nodes] the part of it that all may read */
	int n_making_room, n_draining; /* numbers of memories that make room for a request, and that drain; mostly 0 */
	int n_untidy;                  /* number of memories in `untidy`; mostly 0 */
	/* Bounded memories with so few clean copies (clean_low) that idle write-backs of dirty copies should begin. */
	struct tw_id_set untidy;
	struct flag_changes *flag_changes;        /* [nodes] the last changes of flags of the node's copies */
	struct issued_list *issued;               /* [nodes] issued transfers from or to the node; main memory: empty */
	int *n_computing;                         /* [nodes] number of workers that compute in this memory */
	struct channel *channels, *used_channels; /* [to * n_nodes + from]; a list of those that have had requests */
	/* [from * n_nodes + to] predicted seconds, and seconds per byte, of the route */
	double *latency, *inverse_bandwidth;
	double transfer_slowdown;           /* a factor of inverse_bandwidth, from the parameter bus; at least 1 */
	struct tw__arena *transfers_memory; /* the arena of requests and waiters */
	struct request *unused_requests;
	struct request **youngest; /* [youngest_mask + 1] the youngest requests of runs (transfers/queue.c), or NULL */
	size_t youngest_mask;
	uint64_t n_issued; /* number of transfers issued so far */
	struct waiter *unused_waiters;

	enum { ORDER_ID, ORDER_IDLE_TIME, ORDER_RANDOM } order; /* order of workers that can go on at one date */
	bool only_channels; /* whether a transfer excludes only transfers with the same source and destination */
	int n_drivers;
	struct driver *drivers;
	struct hold *holds;           /* the places of all workers' pipelines */
	tw__access *hold_accesses;    /* memory for their accesses */
	struct tw__placed *placed;    /* memory for the accesses of one launch; NULL: the engine does not compute */
	struct node_threads *at_node; /* [nodes] threads of each memory */
	struct driver **at_nodes;     /* the array into which the pointers of at_node point */
	struct tw__heap runnable;     /* runnable threads; empty with order=random */
	struct driver **any_runnable;
	int n_any_runnable;
	struct tw_id_set computing; /* threads that sleep until their synchronous kernel ends */
	struct idlers idlers;
	struct tw_id_set *of_arch; /* [archs] the workers of each arch */
	struct tw_id_set accelerators;
	struct tw_id_set movers;     /* workers whose memory is bounded, or whose thread issues transfers */
	struct tw_id_set moving;     /* threads with landed requests to handle, or with queued requests to issue */
	struct tw_id_set idle;       /* workers whose last pop returned no task */
	struct tw_id_set notified;   /* woken workers that have not popped since */
	struct tw_id_set stay_woken; /* workers that stay in `notified` until the end of the run (cpus_race) */
	struct driver *first_event, *last_event; /* threads that wait for a date, sorted by it; ties: the lowest id */
	int next_unjammed;                       /* the driver at which the next call of tw__unjam begins its search */
	tw__ns allocation_free_at;               /* date at which the lock that all allocations on GPUs share is free */
	tw__ns turn_free_at;                     /* date at which the lock that all workers share is free (turn_cost) */
	tw__ns decision;                         /* cost of the looks before the run, for which the submission waits */
	int64_t n_charged_looks; /* of counters->looks: how many were charged to a thread, or came before the run */

	struct tw__run_counters *counters;
	struct tw__pulse *pulse, own_pulse; /* the first is never NULL; the second, if the input has none */

	/* Requests the write-back of a copy to its backing memory. Through this pointer memory/ calls transfers/, which
	 * is above it. `idle`: an idle write-back, else that of a victim. Returns NULL if a valid copy is there
	 * already, or if the run has failed; for idle write-backs always. */
	struct request *(*write_home)(struct tw__rt *, tw_data, tw_node from, bool idle);
};

/* Tells a process that looks on how far the run is. */
static inline void tw__rt_beat(struct tw__rt *rt)
{
	atomic_store_explicit(&rt->pulse->now, rt->now, memory_order_relaxed);
	atomic_store_explicit(&rt->pulse->n_done, rt->n_done, memory_order_relaxed);
}

/* A function of a plug-in begins; TW__CALL_NONE: it has returned. */
static inline void tw__rt_calls(struct tw__rt *rt, enum tw__pulse_call call) { tw__pulse_set(&rt->pulse->call, call); }

static inline bool is_bounded(const struct tw__rt *rt, tw_node n) { return rt->capacity[n] != UINT64_MAX; }

/* Returns the request for which victims leave the memory; NULL: there is none. */
static inline struct request *beneficiary_of(const struct tw__rt *rt, tw_node n)
{
	return rt->n_making_room ? rt->pressure[n].beneficiary : NULL;
}

/* Returns the task for which the memory drains; NULL: it does not drain. */
static inline struct hold *drained_for(const struct tw__rt *rt, tw_node n)
{
	return rt->n_draining ? rt->pressure[n].drained_for : NULL;
}

/* Returns the bytes that a handle takes on a node. A scratch handle takes its size for each worker that computes in
 * this memory. */
static inline uint64_t room_bytes(const struct tw__rt *rt, tw_data d, tw_node n)
{
	uint64_t bytes = rt->graph->data_bytes[d];
	return tw__data_use(rt->graph, d) == TW__USE_SCRATCH ? bytes * (uint64_t)rt->n_computing[n] : bytes;
}

/* Whether any thread can go on at the current date. */
static inline bool tw__turns_any(const struct tw__rt *rt)
{
	return rt->runnable.n || rt->n_any_runnable || rt->idlers.any_called || rt->idlers.any_asks;
}

/* Returns the ns for the candidates that plug-ins have looked at since the last call. */
static inline tw__ns tw__rt_looks(struct tw__rt *rt)
{
	int64_t n = rt->counters->looks - rt->n_charged_looks;
	if (n == 0)
		return 0;
	rt->n_charged_looks += n;
	return tw__times_ns(rt->cost.scan, n);
}

/* Ends the run with an error. Only the first error of a run counts. */
void tw__rt_fail(struct tw__rt *, int status, const char *format, ...) TW_PRINTF(3, 4);
/* The greatest number of figures that the policies of the run may report. */
int tw__rt_most_figures(const struct tw__rt *);
/* Reports a figure of the run (tw_report). False: there are too many. */
bool tw__rt_report(struct tw__rt *, const char *name, double value);

/* An action of a plug-in, on what its numbers name. */
typedef int32_t tw__action(struct tw__rt *, int32_t number, tw_node);
/* Takes an action that may need memory. If there is none, the run fails, and later actions do nothing and return
 * TW_NONE: the state may be half changed. */
int32_t tw__act(struct tw__rt *, tw__action *, int32_t number, tw_node);

/* The next functions add events to the run's record, if there is one.
 *
 * - tw__rt_record: adds an event at the current date.
 * - tw__rt_record_kernel: adds the start and the end of a kernel; `kind` of the end is TW__END or TW__CANCEL.
 *   `call`: as in struct tw__completion.
 * - tw__rt_record_transfer: adds the start of a transfer; returns the event's index in the record.
 * - tw__rt_record_landing: adds the end of a transfer, and sets the true date of its start. */
void tw__rt_record_event(struct tw__rt *, struct tw__event);
static inline void tw__rt_record(struct tw__rt *rt, struct tw__event event)
{
	if (!rt->in->record)
		return;
	event.date = rt->now;
	tw__rt_record_event(rt, event);
}
void tw__rt_record_kernel(struct tw__rt *, const struct hold *, tw__ns start, uint8_t kind, tw__ns end, tw__ns call);
size_t tw__rt_record_transfer(struct tw__rt *, const struct request *);
void tw__rt_record_landing(struct tw__rt *, const struct request *, tw__ns start, tw__ns end);

#endif
