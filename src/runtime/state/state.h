/* The state of a run. Policies know struct tw_sched as an opaque name; only src/runtime sees its members and changes
 * them. docs/architecture.md says which file does what. */
#ifndef TW__STATE_H
#define TW__STATE_H

#include <assert.h>

#include <tilewright/containers.h>

#include "base/bits.h"
#include "base/date.h"
#include "base/heap.h"
#include "base/random.h"
#include "runtime/model.h"
#include "runtime/run.h"
#include "runtime/state/idle.h"

/* state/threads.h */
struct driver;
struct hold;
struct node_threads;
/* state/copies.h */
struct data;
struct replicate;
struct flag_changes;
/* state/request.h, transfers/channel.h */
struct channel;
struct issued_list;
struct prefetched;
struct request;
struct waiter;
/* memory/memory_state.h, which is for memory/ alone */
struct memory;

/* The costs of steps, from the parameters. */
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
	void *model_state; /* the hooks' own */
	const struct tw__engine_ops *ops;
	struct tw__engine *engine;
	void *policy_state, *eviction_state;
	struct tw__random *policy_random, *eviction_random, *order_random;
	struct tw_error *err;
	int status;
	bool draining;   /* the last task is done, or the run has failed: no task begins any more */
	int n_under_way; /* kernels and transfers that the engine has begun and not ended */
	tw__ns now;
	uint64_t sequence;

	uint32_t *remaining; /* [tasks] predecessors not released, + 1 until submitted; UINT32_MAX once assigned */
	struct prefetched *prefetched; /* [tasks] */
	bool *sync_kernel;             /* [kernels] */
	uint32_t *contributors_left;   /* [phases] of reductions */
	uint32_t *contributions;       /* [data] of ended tasks to an accumulator; 0 once it was combined */
	tw_task *appended; /* ready tasks of reductions: the next threads that release something push them */
	int first_appended, n_appended;
	tw_task n_own_tasks;                  /* without those that reductions append */
	tw_task n_submitted, n_ready, n_done; /* n_ready: with the policy */
	tw__ns last_release;

	/* The submitting thread. */
	bool submitting;        /* the next task's cost is being paid */
	tw_task pushing;        /* the task whose push cost is being paid, or TW_NONE */
	tw__ns submission_date; /* of its next step; TW__NEVER: it waits for its window, or has ended */

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
	int n_making_room, n_draining, n_untidy;  /* numbers of memories: mostly 0 */
	struct tw_id_set untidy;                  /* memories with few clean copies, and with dirty ones */
	struct flag_changes *flag_changes;        /* [nodes] of copies */
	struct issued_list *issued;               /* [nodes] transfers from or to there; main memory's is empty */
	int *n_computing;                         /* [nodes] workers that compute there */
	struct channel *channels, *used_channels; /* [to * n_nodes + from] */
	double *latency, *inverse_bandwidth;      /* [from * n_nodes + to] belief, whole way */
	double transfer_slowdown;                 /* in that belief */
	struct request *all_requests, *unused_requests;
	struct request **youngest; /* [youngest_mask + 1] youngest requests of runs (transfers/queue.c), or NULL */
	size_t youngest_mask;
	uint64_t n_issued; /* transfers, so far */
	struct waiter *all_waiters, *unused_waiters;

	enum { ORDER_ID, ORDER_IDLE_TIME, ORDER_RANDOM } order; /* of workers that can move at one date */
	bool only_channels; /* transfers exclude each other on the same ordered pair only */
	int n_drivers;
	struct driver *drivers;
	struct node_threads *at_node; /* [nodes] */
	struct driver **at_nodes;     /* that these point into */
	struct tw__heap runnable;     /* but for order=random: */
	struct driver **any_runnable;
	int n_any_runnable;
	struct tw_id_set computing; /* drivers that sleep until their kernel ends */
	struct idlers idlers;
	struct tw_id_set *of_arch; /* [archs] its workers */
	struct tw_id_set accelerators;
	struct tw_id_set movers;     /* workers with a bounded memory, or that look after one */
	struct tw_id_set moving;     /* drivers with requests that have landed or wait in a queue */
	struct tw_id_set idle;       /* workers whose last pop has found nothing */
	struct tw_id_set notified;   /* woken workers that have not popped since */
	struct tw_id_set stay_woken; /* workers that never leave `notified`: hook stays_woken */
	struct tw__heap events;
	int next_unjammed;         /* the driver that unjam.c looks at first */
	tw__ns allocation_free_at; /* allocations from cards are one at a time */
	tw__ns turn_free_at;       /* see turn_cost */

	struct tw__run_counters *counters;

	/* The one call upwards: memory/ asks transfers/request.c to write a victim back to its backing memory. NULL: a
	 * valid copy is there already, or the run has failed. */
	struct request *(*write_home)(struct tw_sched *, tw_data, tw_node from);
};

static inline bool is_bounded(const struct tw_sched *rt, tw_node n) { return rt->capacity[n] != UINT64_MAX; }

/* A scratch handle takes room for each worker that computes there. */
static inline uint64_t room_bytes(const struct tw_sched *rt, tw_data d, tw_node n)
{
	uint64_t bytes = rt->graph->data_bytes[d];
	return tw__data_use(rt->graph, d) == TW__USE_SCRATCH ? bytes * (uint64_t)rt->n_computing[n] : bytes;
}

/* Whether any thread can go on now. */
static inline bool tw__turns_any(const struct tw_sched *rt)
{
	return rt->runnable.n || rt->n_any_runnable || rt->idlers.any_called || rt->idlers.any_asks;
}

void tw__rt_fail(struct tw_sched *, int status, const char *format, ...) TW_PRINTF(3, 4); /* the first one counts */

/* These add to the run's record, if there is one.
 *
 * - tw__rt_record: an event at the current date.
 * - tw__rt_record_kernel: a kernel from `start` to `end`; `kind` is TW__END or TW__CANCEL.
 * - tw__rt_record_transfer: a transfer begins; returns the event's index.
 * - tw__rt_record_landing: that transfer has ended; it may have begun later than it was recorded. */
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
