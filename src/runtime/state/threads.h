/* The threads of workers and memories, and the tasks that workers hold. */
#ifndef TW__THREADS_H
#define TW__THREADS_H

#include "graph/parts.h"
#include "runtime/state/request.h"

/* A task that a worker has popped, and that has not ended. HOLD_FREE: unused; HOLD_FETCHING: the task waits for its
 * data; HOLD_READY: all its data are there; HOLD_LAUNCHED and HOLD_ENDED: states of its kernel. HOLD_JOINED: another
 * worker of the task's team is the master; HOLD_ENDED follows. */
enum hold_state { HOLD_FREE, HOLD_FETCHING, HOLD_READY, HOLD_LAUNCHED, HOLD_JOINED, HOLD_ENDED };
struct hold {
	struct activity activity; /* the task's kernel in the engine */
	struct driver *driver;
	tw_task task;
	enum hold_state state;
	/* accesses of the task, written handles first; an access with TW_REDUX is to the worker's accumulator */
	tw__access *access;
	int n_accesses;
	struct team *team; /* the workers that run the task together; NULL: this one alone */
	int missing;       /* number of requests that the task waits for */
	bool joined;       /* whether another worker of the team is the master */
	bool admitted;     /* whether room for all handles of the task is reserved in the worker's memory */
	bool told;         /* whether the policy's function `started` was called for this task */
	tw__ns start, end; /* dates of the kernel's start and end; until the end, `start` is the date of the launch */
	uint64_t launch;   /* number of the launch; kernels of a worker run in the order of these numbers */
};

struct divided;  /* filters.c */
struct messages; /* messages.c */

enum step {
	STEP_TOP,
	STEP_LAUNCH,
	STEP_LAUNCHED,
	STEP_FINISH,
	STEP_RELEASE,
	STEP_PUSH,
	STEP_HINT,
	STEP_POLL,
	STEP_PIN,
	STEP_ISSUE,
	STEP_SUBMIT,
	STEP_POP,
	STEP_FETCH,
	STEP_MESSAGE,
	STEP_BOTTOM
};

/* A thread of the runtime: one per worker, and one for each memory whose transfers no worker issues (a disk). */
struct driver {
	struct tw__rt *rt;
	int id;           /* number of the thread; it equals the number of its worker, if it has one */
	tw_worker worker; /* the thread's worker; TW_NONE: the thread only moves data */
	tw_node node;     /* the memory of the thread's worker, or the one whose transfers the thread issues */
	bool accelerator;
	int n_polled; /* number of memories that the thread polls in each turn; each costs poll_cost */

	enum step step;
	bool may_idle; /* whether the thread may join the sets of sleeping workers (idle.h) */
	/* whether the thread is in the sets of sleeping workers (idle.h); step, asleep, signalled and progress are then
	 * stale */
	bool idles;
	bool asleep;    /* whether the thread sleeps until a signal */
	bool signalled; /* whether the thread was signalled while awake: it takes another turn */
	bool runnable;
	bool progress;             /* whether the current turn of the thread's loop has done something */
	struct tw__heap_item turn; /* the thread's item in the heap of runnable threads; unused with order=random */
	tw__ns date;               /* when the thread goes on, while it waits for a date */
	struct driver *earlier_event, *later_event; /* neighbours in the list of threads that wait for dates */
	bool has_pushed; /* whether the thread has pushed a task since its last pop, and so has woken others */

	/* The tasks that the worker holds, in the order of their pops: a ring of `pipeline` places. */
	struct hold *hold;
	int first, n_held, pipeline;
	struct hold *fetching; /* the held task that waits for its data, or NULL */
	struct hold *launching;
	bool has_joined;   /* whether one of the held tasks has another worker as master */
	int fetch_index;   /* index in fetching->access of the next access to request */
	tw_task releasing; /* the task whose successors are being released */
	uint32_t successor;
	tw_task pushing;
	uint32_t hint; /* index in tw_graph.access; accesses of `releasing` before it were already searched for hints */

	tw__ns last_end; /* when the worker's last kernel ended or was cancelled */
	bool idle;       /* whether the worker's last pop returned no task */
	tw__ns idle_since;

	/* Only for a thread that issues the transfers of its memory. */
	uint64_t *waiting; /* [N_CLASSES] sets of lanes (lane_of): those with queued requests of that class */
	struct request *landed, **landed_end;
	struct divided *changing;   /* divided handles that a thread of filters.h changes; else NULL */
	struct messages *messages;  /* of the network thread; else NULL */
	struct tw__parcel *pinning; /* the receive whose pinned buffer is being paid (receive_chunk_cost), or NULL */
	struct request *issuing;    /* the request whose issue is being paid (transfer_queue_cost), or NULL */
};

/* A thread that submits the tasks of a graph, from its arrival on. */
struct submitter {
	tw_task first, end; /* the graph's tasks, without those that reductions append */
	tw_task next;       /* the next task to submit; earlier ones are submitted, or inside recursive ones */
	tw_task last;       /* the one before */
	bool submitting;    /* whether the submission cost of `next` is being paid */
	tw_task pushing;    /* the task whose push cost is being paid, or TW_NONE */
	tw__ns date;        /* of the next step; TW__NEVER: the window is full, or all tasks are submitted */
	tw_task n_done;     /* number of tasks that have ended, with those that reductions appended */
	tw__ns first_start; /* of a kernel */
	tw__ns last_end;    /* of a task */
};

static inline struct submitter *submitter_of(const struct tw__rt *rt, tw_task t)
{
	return &rt->submitters[tw__graph_part_of(rt->graph, t)];
}

/* The threads of a memory. */
struct node_threads {
	struct driver **threads; /* [n] all threads that compute in the memory or issue its transfers */
	int n;
	/* the thread that issues the memory's transfers; NULL: threads of the memories at the other ends do */
	struct driver *mover;
};

/* Returns the i-th task that the thread's worker holds, in the order of pops. */
static inline struct hold *held(struct driver *d, int i)
{
	int place = d->first + i;
	return &d->hold[place < d->pipeline ? place : place - d->pipeline];
}

/* Whether the worker can pop no other task, because it fetches or has joined one, or because its pipeline has no free
 * place. */
static inline bool is_full(const struct driver *d) { return d->fetching || d->n_held >= d->pipeline || d->has_joined; }

/* The step behind STEP_POLL. */
static inline enum step step_after_poll(const struct driver *d)
{
	return d->rt->n_unpinned && d->worker != TW_NONE ? STEP_PIN : STEP_ISSUE;
}

/* Returns the thread that issues transfers from one memory to another. It belongs to the receiver; for transfers to a
 * main memory, it belongs to the sender, unless that is a main memory, too. */
static inline struct driver *issuer_of(const struct tw__rt *rt, tw_node from, tw_node to)
{
	return rt->at_node[to < rt->n_mains && from >= rt->n_mains ? from : to].mover;
}

/* Whether the request may be dropped, because no task needs the copy at the destination. The remaining waiters only
 * need this transfer finished or cancelled before they write. Write-backs of victims are never dropped. */
static inline bool is_dispensable(const struct request *r)
{
	for (const struct waiter *w = r->waiters; w; w = w->next)
		if (w->hold->driver->node == r->to)
			return false;
	return !r->followers && r->cause != TW__EVICTION;
}

/* Returns the earliest date at which a thread goes on without a signal; TW__NEVER: there is no such date. */
static inline tw__ns tw__rt_next_date(const struct tw__rt *rt)
{
	tw__ns date = tw__earliest(rt->next_submitter->date, rt->idlers.next_date);
	return rt->first_event ? tw__earliest(date, rt->first_event->date) : date;
}

/* --- the engine's clock ------------------------------------------------------------------------------------------- */

#define TW__UNKNOWN ((tw__ns)-1)

/* Whether this turn can go on at `date`: no kernel or transfer ends by then, as far as the engine can tell. */
static inline bool tw__engine_passes(struct tw__rt *rt, tw__ns date)
{
	if (rt->engine_next == TW__UNKNOWN)
		rt->engine_next = rt->ops->next(rt->engine);
	return date < rt->engine_next;
}

/* Notes that kernels or transfers begin or end. */
static inline void tw__engine_changes(struct tw__rt *rt) { rt->engine_next = rt->ops->next ? TW__UNKNOWN : 0; }

/* Returns the engine, with its clock at the run's date, for a call that begins or ends a kernel or transfer. */
static inline struct tw__engine *tw__engine_at(struct tw__rt *rt)
{
	if (rt->ops->advance)
		rt->ops->advance(rt->engine, rt->now);
	tw__engine_changes(rt);
	return rt->engine;
}

#endif
