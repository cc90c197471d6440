/* The state of a run. struct tw_sched is what policies know as an opaque name; only src/runtime sees inside, and only
 * src/runtime changes it.
 *
 *   runtime.c   the main loop                            open.c      opening and closing
 *   turns.c     who goes on, and when                    driver.c    what a worker's thread does, step by step
 *   idle.c      many workers whose threads sleep
 *   task.c      submission, release, end of tasks        fetch.c     the data a task needs: demand and prefetch
 *   reduce.c    accumulators, and the tasks that combine them
 *   request.c   queues of transfers, issue, landing      bus.c       which transfers exclude each other
 *   memory.c    room, eviction, reservation              room.c      where data lie in a bounded memory
 *   copy.c      the state of copies (MSI, pins)
 *   unjam.c     when free room is in pieces
 *   fit.c       does every task fit at all?              sched.c     what policies see and may ask
 *   params.c    profiles of runtime parameters
 */
#ifndef TW__RUNTIME_H
#define TW__RUNTIME_H

#include <assert.h>

#include <tilewright/id_set.h>

#include "base/bits.h"
#include "base/date.h"
#include "base/heap.h"
#include "base/random.h"
#include "runtime/idle.h"
#include "runtime/request.h"
#include "runtime/room.h"
#include "runtime/run.h"

enum { MAX_PIPELINE = 64 };

/* Where a task that waits has prefetched its data. */
struct prefetched {
	int16_t node;   /* that holds protections for it, or TW_NONE */
	uint32_t moves; /* how often that has changed; the requests of earlier places are void */
};

/* A data on a node. */
struct replicate {
	struct request *request; /* the pending one, or NULL */
	uint64_t offset;         /* in a bounded memory, while allocated */
	uint32_t pins;           /* assigned tasks and issued transfers that hold it: never evicted */
	uint32_t queued_tasks;   /* tasks not yet popped that it is protected for: prefetches do not evict it */
	uint32_t n_claims;       /* prefetches that have not had their turn */
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

struct memory {
	uint64_t capacity; /* UINT64_MAX: unbounded */
	struct tw__room room;
	uint64_t used;
	uint64_t reserved;   /* by admitted tasks */
	uint64_t admissible; /* the part of the capacity that is sure to hold any data that sum up to it */
	int n_admitted;
	struct driver **drivers; /* [n_drivers] those of its node */
	int n_drivers;
	bool backs;                  /* it is another memory's backing */
	struct driver *driver;       /* issues its transfers; NULL: those at the other end do */
	tw_data reclaiming;          /* the victim under write-back, or TW_NONE */
	int to_reclaim;              /* how many more are written back before the room is used */
	struct request *beneficiary; /* the request that the room is made for, or NULL */
	struct hold *emptied_for;    /* everything leaves, so that this task's set finds places; or NULL */
	bool emptying;    /* a request has found no room, and the eviction policy is of those that evict all */
	bool starved;     /* a request has found no room: its thread is told when that may change */
	uint64_t changes; /* how often it may have: those refused need not try again before */
	uint8_t *kind;    /* [data] enum kind, of a bounded memory */
	uint8_t *dirty;   /* [data] 1: allocated, not clean, and no task is about to write the data */
	int32_t n_dirty;
	int32_t *place; /* [data] in the list of its kind, unless it stays */
	struct tw_data_of_kind of_kind[N_KINDS];
	int32_t capacity_of_kind[N_KINDS];
	int64_t loads_since_progress; /* loaded since so many tasks were done: */
	tw_task progress;
	int n_data, n_clean;              /* allocated copies; the clean ones */
	tw_data flagged[TW_MOST_CHANGES]; /* whose flags have changed last, in a ring */
	uint64_t n_flagged;
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
	bool *awaits_turn;             /* [accesses] a prefetch for that access of a task is a claim, and not settled */
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
	struct request *all_requests, *unused_requests, *oldest, *youngest; /* issued transfers in order */
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
	struct tw_id_set movers; /* workers with a bounded memory, or that look after one */
	struct tw_id_set idle;   /* workers whose last pop has found nothing */
	struct tw_id_set
		notified; /* those woken that have not popped since; with cpus_race, also each CPU that was ever woken */
	struct tw__heap events;
	int next_unjammed;         /* the driver that unjam.c looks at first */
	tw__ns allocation_free_at; /* allocations from cards are one at a time */
	tw__ns turn_free_at;       /* see turn_cost */

	struct tw__run_counters *counters;
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

/* runtime.c */
void tw__rt_fail(struct tw_sched *, int status, const char *format, ...) TW_PRINTF(3, 4); /* the first one counts */
void tw__rt_record(struct tw_sched *, struct tw__event);
void tw__rt_resume_submission(struct tw_sched *);

/* open.c */
int tw__rt_open(struct tw_sched *);
void tw__rt_close(struct tw_sched *);

/* turns.c */
int tw__turns_open(struct tw_sched *);
void tw__turns_close(struct tw_sched *);
bool tw__turns_next(struct tw_sched *); /* lets the next one do so; false: there is none */
void tw__rt_signal(struct driver *);    /* take a turn of your loop */
void tw__rt_signal_workers(struct tw_sched *, int word, uint64_t who); /* 64 * word + i, for each bit i */
void tw__rt_schedule(struct driver *, tw__ns delay);                   /* go on after a delay */
void tw__rt_sleep(struct driver *);                                    /* until signalled */
void tw__rt_wake_scheduled(struct tw_sched *);                         /* those whose date has come */

/* driver.c */
void tw__driver_run(struct driver *);             /* until it sleeps or a step takes time */
struct hold *tw__driver_running(struct driver *); /* the task held whose kernel runs; NULL: none does */
/* What a turn of its loop may have to do: with what it holds, before it polls; with transfers; ask the policy. */
bool tw__driver_may_begin(const struct driver *);
bool tw__driver_may_pop(const struct driver *);
bool tw__driver_may_move(const struct driver *); /* transfers want something of it */
void tw__driver_set_idle(struct driver *);       /* a pop of it has found nothing */
void tw__driver_drop(struct driver *);           /* the first task held, whose kernel was cancelled */

/* task.c */
tw__ns tw__submit(
	struct tw_sched *); /* submits until it costs time, and returns that; negative: it has to wait or has ended */
void tw__task_assigned(struct driver *, struct hold *);
void tw__task_end(struct driver *, struct hold *);
bool tw__task_release_next(struct driver *); /* the next successor that becomes ready -> driver->pushing */
bool tw__task_has_hint(struct driver *);     /* it was the last to write a data: driver->hint is that access */
void tw__task_take_hint(struct driver *);
void tw__task_push(struct tw_sched *, tw_task, tw_worker released_by);
void tw__task_cancel(struct driver *, struct hold *); /* the first of those held; its kernel does not run any more */

/* reduce.c */
int tw__reduce_open(struct tw_sched *);
void tw__reduce_close(struct tw_sched *);
/* To the worker's accumulator: TW_W | TW_REDUX. It is also read, but by the first of a reduction, which makes it. */
tw__access tw__reduce_access(const struct tw_sched *, tw__access, tw_worker);
void tw__reduce_ended(struct tw_sched *, struct hold *); /* its writes are committed */

/* fetch.c */
void tw__fetch_resolve(struct tw_sched *, struct hold *); /* hold->access */
void tw__fetch_access(struct tw_sched *, struct hold *, int index);
bool tw__fetch_settled(struct tw_sched *, struct hold *); /* everything is there and nobody else needs the old value */
void tw__fetch_own(struct tw_sched *, struct hold *);     /* then: its memory owns what it writes */
/* The accesses of its task, in the graph's order, each with its present place; returns how many. */
int tw__fetch_placed(const struct tw_sched *, const struct hold *, struct tw__placed *access);
void tw__prefetch(struct tw_sched *, tw_data, tw_node, unsigned mode, int32_t priority, enum request_class);

/* copy.c */
void tw__copy_settle(struct tw_sched *, tw_data, tw_node, bool allocated); /* its room has come or gone */
void tw__copy_clean(struct tw_sched *, tw_data, tw_node, bool clean);      /* as far as the backing memory is known */
void tw__copy_pin(struct tw_sched *, tw_data, tw_node);
void tw__copy_unpin(struct tw_sched *, tw_data, tw_node);                  /* an invalid one that nobody holds leaves */
void tw__copy_wish(struct tw_sched *, tw_data, tw_node, struct request *); /* NULL: no longer */
void tw__copy_loading(struct tw_sched *, tw_data, tw_node);                /* that request's turn has come */
void tw__copy_claim(struct tw_sched *, tw_data, tw_node, int claims);      /* + or - */
void tw__copy_protect(struct tw_sched *, tw_data, tw_node, int tasks);     /* + or - */
void tw__copy_writers(struct tw_sched *, tw_data, int tasks);              /* + or - */
void tw__copy_validate(struct tw_sched *, tw_data, tw_node);
void tw__copy_invalidate(struct tw_sched *, tw_data, tw_node);
void tw__own(struct tw_sched *, tw_data, tw_node); /* the copy on the node becomes the only valid one */

/* claims.c */
void tw__claim(struct tw_sched *, tw_task, tw_data, tw_node, unsigned mode); /* the task prefetches the data */
void tw__claim_settle(struct tw_sched *, struct request *);                  /* its turn has come */
void tw__claim_served(struct tw_sched *, const struct request *); /* it is over, whether the data is there or not */
void tw__claim_popped(struct tw_sched *, tw_task, tw_data,
                      tw_node);                   /* a worker there has the task, which asks for the data */
void tw__claims_drop(struct tw_sched *, tw_task); /* its prefetched data may leave */

/* unjam.c */
bool tw__unjam(struct tw_sched *); /* free room is in pieces and nothing moves: false if that is not why */
void tw__unjam_written_back(struct tw_sched *, tw_data, tw_node from); /* lets go of it if that memory is emptied */
bool tw__unjam_ready(struct tw_sched *, struct hold *); /* its memory is empty, and its set has places there */

/* bus.c */
void tw__bus_submit(struct tw_sched *, struct request *);
void tw__bus_done(struct tw_sched *, struct request *, const struct tw__completion *);

/* memory.c */
enum room { ROOM_TAKEN, ROOM_WAIT, ROOM_NONE };
uint64_t tw__memory_chunk_bytes(const struct tw_platform *, const struct tw__runtime_params *,
                                tw_node); /* 0: no chunks */
int tw__memory_init(struct tw_sched *, const uint64_t *capacity);
void tw__memory_finish(struct tw_sched *);
bool tw__memory_admit(struct tw_sched *, struct hold *);
void tw__memory_leave(struct tw_sched *, struct hold *);
void tw__memory_place(struct tw_sched *, tw_data, tw_node); /* takes room that is known to be there */
/* The victim has been written back: if its room is still wanted, it leaves, and the next may be written back. */
void tw__memory_written_back(struct tw_sched *, tw_node);
bool tw__memory_is_writing_back(struct tw_sched *, tw_node);    /* a victim's copy is on its way */
void tw__memory_made_room(struct tw_sched *, struct request *); /* if room was being made for it: no longer */
enum room tw__memory_take(struct tw_sched *, struct request *, tw__ns *cost);
/* A tenth of what the watchdog allows has been loaded there, and no task has ended. */
bool tw__memory_thrashes(const struct tw_sched *, tw_node);
void tw__memory_release(struct tw_sched *, tw_data, tw_node, enum tw__cause); /* gives the room back */
void tw__memory_changed(struct tw_sched *, tw_node);                          /* there may be room now */
bool tw__memory_is_untidy(const struct tw_sched *, tw_node);
void tw__memory_tidy(struct tw_sched *, tw_node); /* asks for idle write-backs when few data are clean */

#endif
