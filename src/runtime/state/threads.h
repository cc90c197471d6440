/* Threads, and the tasks that they hold. */
#ifndef TW__THREADS_H
#define TW__THREADS_H

#include "base/heap.h"
#include "runtime/state/state.h"
#include "runtime/state/request.h"

enum { MAX_PIPELINE = 64 };

/* A task that a worker holds. */
enum hold_state { HOLD_FREE, HOLD_FETCHING, HOLD_READY, HOLD_LAUNCHED, HOLD_ENDED };
struct hold {
	struct activity activity; /* its kernel */
	struct driver *driver;
	tw_task task;
	enum hold_state state;
	tw__access access[TW_MAX_ACCESSES]; /* its requests, written handles first; accumulators in reductions */
	int n_accesses;
	int missing;       /* requests it waits for */
	bool admitted;     /* its whole set is reserved on the node */
	bool told;         /* policy.started was called */
	tw__ns start, end; /* of its kernel; after the launch, `start` is its earliest possible start */
	uint64_t launch;   /* kernels run in the order of their launches */
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
	tw_worker worker; /* TW_NONE: the thread only moves data */
	tw_node node;     /* the memory it computes in */
	bool accelerator;
	int n_polled; /* memories it looks after: each turn costs that many polls */

	enum step step;
	bool may_idle;  /* it may be a member of idle.c's sets */
	bool idles;     /* it is a member: step, asleep, signalled and progress are stale meanwhile */
	bool asleep;    /* until signalled */
	bool signalled; /* while awake: it takes another turn */
	bool runnable;
	bool progress;             /* this turn has done something */
	struct tw__heap_item turn; /* while it is runnable, but for order=random */
	struct tw__heap_item event;
	tw__ns date;     /* of the event */
	bool has_pushed; /* since its last pop: it has woken others */

	/* Tasks held, in the order popped: a ring of `pipeline` places. */
	struct hold hold[MAX_PIPELINE];
	int first, n_held, pipeline;
	struct hold *fetching; /* the one that waits for data, or NULL */
	struct hold *launching;
	int fetch_index;   /* the next access to request */
	tw_task releasing; /* the task whose successors are being released */
	uint32_t successor;
	tw_task pushing;
	uint32_t hint; /* index of an access: those of `releasing` before it have been looked at for hints */

	tw__ns last_end; /* of its last kernel's end or cancellation */
	bool idle;       /* its last pop found nothing */
	tw__ns idle_since;

	/* For the thread that issues its memory's transfers. */
	uint64_t *waiting; /* [N_CLASSES] sets of lanes (lane_of) with queued requests of that class */
	struct request *landed, **landed_end;
	struct request *issuing; /* the request whose cost is being paid */
};

/* The threads of a memory. */
struct node_threads {
	struct driver **threads; /* [n] */
	int n;
	struct driver *mover; /* issues the memory's transfers; NULL: threads at the other ends do */
};

/* The i-th held task, in the order of pops. */
static inline struct hold *held(struct driver *d, int i)
{
	int place = d->first + i;
	return &d->hold[place < d->pipeline ? place : place - d->pipeline];
}

static inline bool is_full(const struct driver *d) { return d->fetching || d->n_held >= d->pipeline; }

/* The thread that issues transfers between two memories: the receiver's; the sender's for transfers to main memory. */
static inline struct driver *issuer_of(const struct tw_sched *rt, tw_node from, tw_node to)
{
	return rt->at_node[to == TW_RAM ? from : to].mover;
}

/* The date of the runtime's own next event; TW__NEVER: none. */
static inline tw__ns tw__rt_next_date(const struct tw_sched *rt)
{
	const struct tw__heap_item *top = tw__heap_top(&rt->events);
	tw__ns date = tw__earliest(rt->submission_date, rt->idlers.next_date);
	return top ? tw__earliest(date, TW__CONTAINER(top, const struct driver, event)->date) : date;
}

#endif
