/* The state of a run. struct tw_sched is what policies know as an opaque name; only src/runtime sees inside, and only
 * src/runtime changes it. docs/architecture.md tells which file does what, and who calls whom. */
#ifndef TW__STATE_H
#define TW__STATE_H

#include <assert.h>

#include <tilewright/containers.h>

#include "base/bits.h"
#include "base/date.h"
#include "base/heap.h"
#include "base/random.h"
#include "runtime/state/idle.h"
#include "runtime/memory/room.h"
#include "runtime/model.h"
#include "runtime/run.h"
#include "runtime/transfers/request.h"

enum { MAX_PIPELINE = 64 };

/* Where a task that waits has prefetched its data. */
struct prefetched {
	int16_t node;   /* where copies are protected for it, or TW_NONE */
	uint32_t moves; /* how often that has changed: requests of earlier places are void */
};

/* A data on a node. */
struct replicate {
	struct request *request; /* the pending one, or NULL */
	uint64_t offset;         /* in a bounded memory, while allocated */
	uint32_t pins;           /* assigned tasks and issued transfers that hold it: never evicted */
	uint32_t queued_tasks;   /* tasks not yet popped that it is protected for: prefetches do not evict it */
	uint32_t n_apart;        /* requests for it that have not had their turn: REQUEST_APART */
	bool clean; /* in a bounded memory, allocated: the backing memory is known to have it, or to get it soon */
};

/* What policies ask of copies again and again, in one byte each: a scan over a queue of tasks stays in the cache. Incoming: asked
 * for; loading: the turn of a request for it has come, even if it still waits for room. */
enum { COPY_VALID = 1, COPY_INCOMING = 2, COPY_ALLOCATED = 4, COPY_LOADING = 8 };

/* Sets of nodes, of each data. */
enum node_set {
	VALID_ON,  /* the copy there is valid. One node: that copy is M, several: they are S */
	HELD_ON,   /* bounded nodes where the data is allocated */
	WISHED_ON, /* a request for it is pending */
	N_NODE_SETS
};

struct data {
	uint16_t n_valid;    /* nodes in VALID_ON */
	uint16_t n_requests; /* nodes in WISHED_ON */
	uint16_t n_writers;  /* assigned tasks that write it: 0 or 1 */
};

/* A task that a worker holds. */
enum hold_state { HOLD_FREE, HOLD_FETCHING, HOLD_READY, HOLD_LAUNCHED, HOLD_ENDED };
struct hold {
	struct activity activity; /* its kernel */
	struct driver *driver;
	tw_task task;
	enum hold_state state;
	tw__access access[TW_MAX_ACCESSES]; /* what it asks for, written data first; of reductions, its accumulators */
	int n_accesses;
	int missing;       /* requests it waits for */
	bool admitted;     /* its whole set is reserved on the node */
	bool told;         /* the policy knows that its turn has come */
	tw__ns start, end; /* of its kernel; the start, once it is launched, is when it can have begun */
	uint64_t launch;   /* kernels run in the order of their launches */
};

struct channel { /* an ordered pair of memories; all zero while nothing was asked for over it */
	struct tw__heap queue[N_CLASSES];
	int in_flight;             /* issued and not yet noticed */
	struct channel *next_used; /* of those with queues */
	bool used;
};

enum step {
	STEP_TOP,
	STEP_LAUNCH,
	STEP_LAUNCHED,
	STEP_FINISH,
	STEP_RELEASE,
	STEP_PUSH,
	STEP_HINT,
	STEP_POLL,
	STEP_ISSUE,
	STEP_SUBMIT,
	STEP_POP,
	STEP_FETCH,
	STEP_BOTTOM
};

/* A thread: one per worker, and one for each memory that no worker looks after (a disk). */
struct driver {
	struct tw_sched *rt;
	int id;           /* the worker's number, for those that have one */
	tw_worker worker; /* TW_NONE: only moves data */
	tw_node node;     /* the memory it computes in */
	bool accelerator;
	int n_polled; /* memories it looks after: each turn costs that many polls */

	enum step step;
	bool may_idle;  /* as idle.c has it */
	bool idles;     /* ... and is a member there: step, asleep, signalled and progress are not kept meanwhile */
	bool asleep;    /* until signalled */
	bool signalled; /* while it was awake: take another turn */
	bool runnable;
	bool progress;             /* this turn of the loop did something */
	struct tw__heap_item turn; /* while it is runnable, but for order=random */
	struct tw__heap_item event;
	tw__ns date;     /* of the event */
	bool has_pushed; /* since its last pop: it has woken others */

	/* Tasks held, in the order popped: a ring of `pipeline` places. */
	struct hold hold[MAX_PIPELINE];
	int first, n_held, pipeline;
	struct hold *fetching; /* the one that waits for data, or NULL */
	struct hold *launching;
	int fetch_index;   /* next access to ask for */
	tw_task releasing; /* its successors are being released */
	uint32_t successor;
	tw_task pushing;
	uint32_t hint; /* next access of the task being released that may be the last write of its data */

	tw__ns last_end; /* of a kernel on it, or the date at which one was cancelled */
	bool idle;       /* its last pop found nothing */
	tw__ns idle_since;

	/* As the one who issues the transfers of its own memory. */
	uint64_t *waiting; /* [N_CLASSES] sets of channels with such requests in their queues: see lane_of */
	struct request *landed, **landed_end;
	struct request *issuing; /* its cost is being paid */
};

/* Whether a copy may leave its memory: not while it is pinned or wished for. */
enum kind {
	STAYS,
	CLEAN,        /* another copy is valid */
	CLEAN_QUEUED, /* ... and a queued task has prefetched this one */
	LAST,         /* must be written back first */
	LAST_QUEUED,
	LEAVING, /* is being written back, or soon will be */
	LEAVING_QUEUED,
	N_KINDS
};

/* How a bounded memory makes room. */
enum memory_mode {
	NORMAL,
	RECLAIMING, /* for `beneficiary`: what only it has is written back, and then leaves */
	EMPTYING,   /* the same; the eviction policy lets go of all that can leave before room is used */
	DRAINING    /* everything leaves, so that the set of `drained_for` finds places: unjam.c */
};

struct memory {
	uint64_t capacity; /* UINT64_MAX: unbounded */
	struct tw__room room;
	uint64_t used;
	uint64_t reserved;   /* by admitted tasks */
	uint64_t admissible; /* the part of the capacity that is sure to hold any data that sum up to it */
	int n_admitted;
	struct driver **drivers; /* [n_drivers] those of its node */
	int n_drivers;
	bool backs;            /* it is another memory's backing */
	struct driver *driver; /* issues its transfers; NULL: those at the other end do */
	enum memory_mode mode;
	tw_data victim;              /* under write-back, or TW_NONE */
	int n_more_victims;          /* are written back before the room is used */
	struct request *beneficiary; /* the request that the room is made for, or NULL */
	struct hold *drained_for;    /* NULL unless DRAINING */
	bool starved;                /* a request has found no room: its thread is told when that may change */
	uint64_t changes;            /* how often it may have: those refused need not try again before */
	uint8_t *kind;               /* [data] enum kind, of a bounded memory */
	uint8_t *dirty;              /* [data] 1: allocated, not clean, and no task is about to write the data */
	int32_t n_dirty;
	int32_t *place; /* [data] in the list of its kind, unless it stays */
	struct tw_data_of_kind of_kind[N_KINDS];
	int32_t capacity_of_kind[N_KINDS];
	int64_t loads_since_progress; /* loaded since so many tasks were done: */
	tw_task progress;
	int n_data, n_clean;              /* allocated copies; the clean ones */
	tw_data flagged[TW_MOST_CHANGES]; /* whose flags have changed last, in a ring */
	uint64_t n_flagged;
	struct request *oldest, *youngest; /* issued transfers from or to there, unless it is main memory */
};

/* What steps take, as the parameters say. */
struct costs {
	tw__ns submit, push, fetch, poll, kernel_queue, transfer_queue, alloc, turn;
};

struct tw_sched {
	const struct tw__run_input *in;
	const struct tw_graph *graph;
	struct tw_graph *extended; /* the same, if it has reductions; else NULL */
	const struct tw_platform *platform;
	const struct tw__runtime_params *params;
	struct costs cost;
	struct tw__runtime_hooks hooks;
	void *model_state; /* theirs */
	const struct tw__engine_ops *ops;
	struct tw__engine *engine;
	void *policy_state, *eviction_state;
	struct tw__random *policy_random, *eviction_random, *order_random;
	struct tw_error *err;
	int status;
	bool draining;   /* the last task is done, or the run has failed: what is under way ends, no task begins */
	int n_under_way; /* kernels and transfers that the engine has been given, and has not told the end of */
	tw__ns now;
	uint64_t sequence;

	uint32_t *remaining; /* [tasks] predecessors not released, + 1 until submitted; UINT32_MAX once assigned */
	struct prefetched *prefetched; /* [tasks] */
	bool *sync_kernel;             /* [kernels] */
	uint32_t *contributors_left;   /* [phases] of reductions */
	uint32_t *contributions; /* [data]: to an accumulator, by tasks that have ended; 0 once it has been taken in */
	tw_task *appended;       /* by reductions, and ready: the next threads that release something push them */
	int first_appended, n_appended;
	tw_task n_own_tasks;                  /* without those that reductions append */
	tw_task n_submitted, n_ready, n_done; /* n_ready: with the policy */
	tw__ns last_release;

	/* The submitting thread. */
	bool submitting;        /* the cost of the next task is paid */
	tw_task pushing;        /* that push is paid; or TW_NONE */
	tw__ns submission_date; /* when it goes on; TW__NEVER: it waits for its window, or has ended */

	int n_nodes;
	size_t node_words;   /* of a set of nodes */
	size_t lane_words;   /* of a set of lane_of numbers */
	uint64_t *node_sets; /* [data][N_NODE_SETS][node_words] */
	struct data *data;
	struct replicate *replicates; /* [data * n_nodes + node] */
	uint8_t *copies;              /* [node * n_data + data] COPY_ flags; ALLOCATED always on unbounded nodes */
	tw_node home;
	uint64_t *capacity;                       /* [nodes] */
	struct memory *memory;                    /* [nodes] */
	int *n_computing;                         /* [nodes] workers that compute there */
	struct channel *channels, *used_channels; /* [to * n_nodes + from] */
	double *latency, *inverse_bandwidth;      /* [from * n_nodes + to] belief, whole way */
	double transfer_slowdown;                 /* in that belief */
	struct request *all_requests, *unused_requests;
	uint64_t n_issued; /* transfers, so far */
	struct waiter *all_waiters, *unused_waiters;

	enum { ORDER_ID, ORDER_IDLE_TIME, ORDER_RANDOM } order; /* of workers that can move at one date */
	bool only_channels; /* transfers exclude each other on the same ordered pair only */
	int n_drivers;
	struct driver *drivers;
	struct driver **at_nodes; /* that memories' `drivers` point into */
	struct tw__heap runnable; /* but for order=random: */
	struct driver **any_runnable;
	int n_any_runnable;
	struct tw_id_set computing; /* drivers that sleep until their kernel ends */
	struct idlers idlers;
	struct tw_id_set *of_arch; /* [archs] its workers */
	struct tw_id_set accelerators;
	struct tw_id_set movers;     /* workers with a bounded memory, or that look after one */
	struct tw_id_set idle;       /* workers whose last pop has found nothing */
	struct tw_id_set notified;   /* those woken that have not popped since */
	struct tw_id_set stay_woken; /* ... who stay there once they have been woken: hook stays_woken */
	struct tw__heap events;
	int next_unjammed;         /* the driver that unjam.c looks at first */
	tw__ns allocation_free_at; /* allocations from cards are one at a time */
	tw__ns turn_free_at;       /* see turn_cost */

	struct tw__run_counters *counters;

	/* Callbacks: what a part calls that stands below the one that does it. Memory asks for the copy of a victim to its
	 * backing memory (transfers/request.c). NULL: nothing is to do, or the run has failed. */
	struct request *(*write_home)(struct tw_sched *, tw_data, tw_node from);
};

static inline struct replicate *replicate_of(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return &rt->replicates[(size_t)d * (size_t)rt->n_nodes + (size_t)n];
}

static inline uint8_t *copy_flags(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return &rt->copies[(size_t)n * (size_t)rt->graph->n_data + (size_t)d];
}

static inline uint64_t *nodes_of(const struct tw_sched *rt, tw_data d, enum node_set set)
{
	return &rt->node_sets[((size_t)d * N_NODE_SETS + set) * rt->node_words];
}

/* The first node of the set from that one on, or a negative number: for (n = next_node(..., 0); n >= 0; n = next_node(..., n + 1)) */
static inline tw_node next_node(const struct tw_sched *rt, tw_data d, enum node_set set, tw_node from)
{
	return tw__bit_next(nodes_of(rt, d, set), rt->node_words, from);
}

static inline bool is_valid(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return tw__bit(nodes_of(rt, d, VALID_ON), n);
}
static inline bool is_loading(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return *copy_flags(rt, d, n) & COPY_LOADING;
}
static inline bool is_allocated(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return *copy_flags(rt, d, n) & COPY_ALLOCATED;
}

static inline bool is_bounded(const struct tw_sched *rt, tw_node n) { return rt->memory[n].capacity != UINT64_MAX; }

/* A data that is scratch has room for each worker that computes there. */
static inline uint64_t room_bytes(const struct tw_sched *rt, tw_data d, tw_node n)
{
	uint64_t bytes = rt->graph->data_bytes[d];
	return tw__data_use(rt->graph, d) == TW__USE_SCRATCH ? bytes * (uint64_t)rt->n_computing[n] : bytes;
}

static inline struct channel *channel_of(struct tw_sched *rt, tw_node from, tw_node to)
{
	return &rt->channels[(size_t)to * (size_t)rt->n_nodes + (size_t)from];
}

/* The channels that one driver issues have numbers in the order in which it looks at them: those into its memory, by the other end, then that
 * to main memory. */
static inline int lane_of(const struct tw_sched *rt, tw_node from, tw_node to)
{
	return to == TW_RAM && from != TW_RAM ? rt->n_nodes : from;
}

/* Whether any thread can go on now. */
static inline bool tw__turns_any(const struct tw_sched *rt)
{
	return rt->runnable.n || rt->n_any_runnable || rt->idlers.any_called || rt->idlers.any_asks;
}

/* Of what the runtime itself has to do; TW__NEVER: nothing. */
static inline tw__ns tw__rt_next_date(const struct tw_sched *rt)
{
	const struct tw__heap_item *top = tw__heap_top(&rt->events);
	tw__ns date = tw__earliest(rt->submission_date, rt->idlers.next_date);
	return top ? tw__earliest(date, TW__CONTAINER(top, const struct driver, event)->date) : date;
}

/* The place in its ring. */
static inline struct hold *held(struct driver *d, int i)
{
	int place = d->first + i;
	return &d->hold[place < d->pipeline ? place : place - d->pipeline];
}

/* Who issues what goes from one memory to another: the thread of the receiving one; of the sending one when that goes to
 * main memory. */
static inline struct driver *issuer_of(const struct tw_sched *rt, tw_node from, tw_node to)
{
	return rt->memory[to == TW_RAM ? from : to].driver;
}

void tw__rt_fail(struct tw_sched *, int status, const char *format, ...) TW_PRINTF(3, 4); /* the first one counts */

/* The record of the run, if there is one: an event of now; a kernel that began at `start`, and at `end` ended (TW__END) or was
 * cancelled (TW__CANCEL); a transfer that begins, and returns the event's place; one that has ended, and may have begun later. */
static inline void tw__rt_record(struct tw_sched *rt, struct tw__event event)
{
	if (!rt->in->record)
		return;
	event.date = rt->now;
	tw__record_add(rt->in->record, &event);
}
void tw__rt_record_kernel(struct tw_sched *, const struct hold *, tw__ns start, uint8_t kind, tw__ns end);
size_t tw__rt_record_transfer(struct tw_sched *, const struct request *);
void tw__rt_record_landing(struct tw_sched *, const struct request *, tw__ns start, tw__ns end);

#endif
