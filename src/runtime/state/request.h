/* Requests for valid copies of handles. A request waits in the queue of its channel and class, until a thread issues
 * its transfer; then the transfer lands. */
#ifndef TW__REQUEST_H
#define TW__REQUEST_H

#include "runtime/state/state.h"

/* A kernel, a transfer or one end of a message that the engine runs. This struct is a member of struct hold (kernels,
 * messages) and struct request (transfers). The engine knows its address as a token. */
struct activity {
	enum { ACTIVITY_KERNEL, ACTIVITY_TRANSFER, ACTIVITY_MESSAGE } kind;
};

static inline uint64_t token_of(struct activity *a) { return (uint64_t)(uintptr_t)a; }

/* Classes of requests, the most urgent first: demands of assigned tasks, prefetches, idle write-backs. */
enum request_class { CLASS_DEMAND, CLASS_PREFETCH, CLASS_IDLE, N_CLASSES };

enum request_state {
	REQUEST_AFTER_HOP, /* the request waits for the first hop of its route, which is another request */
	/* the request is in its channel's queue, but not yet the copy's request (transfers/prefetch.c) */
	REQUEST_APART,
	REQUEST_QUEUED, /* the request is in its channel's queue, and is the copy's request */
	/* room is taken, source and destination copies are pinned; the transfer runs, or waits for others */
	REQUEST_ISSUED,
	REQUEST_LANDED /* the transfer has ended; the issuing thread has not noticed that yet */
};

/* The memory to which the handles of a queued task are prefetched. Only tasks that are prefetched touch theirs. */
struct prefetched {
	uint16_t to; /* 1 + the memory to which the task's handles are prefetched; 0: to none */
	/* how often `to` was set, modulo 2^16; prefetches from before the last time are void */
	uint16_t moves;
};

/* An assigned task that waits for a request. */
struct waiter {
	struct waiter *next;
	struct hold *hold;
};

/* Links of an issued transfer in the list of one memory's issued transfers. */
struct issued_at {
	struct request *older, *younger;
};

/* A request for a valid copy of a handle on node `to`. Each copy has at most one request, apart from those in state
 * REQUEST_APART. If `from` equals `to`, the request asks only for room. */
struct request {
	struct activity activity;
	/* The keys by which queues of requests are sorted. They stand first, so that they share a cache line. */
	struct tw__heap_item queued; /* place of the oldest request of a run (transfers/queue.c) in its queue */
	int32_t priority;
	bool has_room;   /* room for the copy is taken, though its transfer could not start yet */
	bool in_transit; /* the request pins the copy in main memory that its first hop brought */
	enum request_class class : 8;
	enum request_state state : 8;
	uint64_t sequence;
	/* The next older and the next younger request of its run. `behind` also links landed and unused requests. */
	struct request *before, *behind;

	tw_data data;
	int16_t from, to;    /* memories */
	int16_t reclaims;    /* the memory whose victim this request writes back, or TW_NONE */
	uint16_t task_moves; /* `moves` in the task's struct prefetched when the request was made */
	tw_task task;        /* prefetch_apart: the queued task that this request prefetches for; else TW_NONE */
	uint32_t access;     /* index in tw_graph.access of the task's access to the handle */
	enum tw__cause cause : 8;
	enum request_class refused_as : 8;
	uint8_t mode; /* enum tw_mode of the accesses to serve; a prefetch with TW_W moves the ownership */
	/* eviction_waits: 1 + the task whose kernel the request waits for; -1: no kernel ran; 0: not looked yet */
	int32_t awaited;
	int32_t conflicts;   /* number of older issued transfers that must end before this one starts */
	uint64_t refused_at; /* memory.changes when this request last found no room; 0: never */
	struct waiter *waiters;
	/* a list of requests that wait for this request as their first hop */
	struct request *followers, *next_follower;
	struct issued_at at[2]; /* links in the lists of [0] source and [1] destination; main memory has no list */
	uint64_t issued;        /* number of transfers that were issued before this one */
	size_t start_event;     /* index of the transfer's start in the run's record */
};

static inline bool tw__request_is_queued(const struct request *r) { return r->queued.place >= 0 || r->before; }

/* Whether the handles of the queued task are prefetched to the memory. */
static inline bool is_prefetched_to(const struct tw__rt *rt, tw_task t, tw_node n)
{
	return rt->prefetched[t].to == n + 1;
}

/* Whether the handles of the request's queued task are still prefetched to its node, as when the request was made. */
static inline bool is_current(const struct tw__rt *rt, const struct request *r)
{
	return is_prefetched_to(rt, r->task, r->to) && rt->prefetched[r->task].moves == r->task_moves;
}

/* Whether the request is current and no worker has popped its task. */
static inline bool task_is_queued(const struct tw__rt *rt, const struct request *r)
{
	return rt->remaining[r->task] != ASSIGNED && is_current(rt, r);
}

#endif
