/* A request for a valid copy: queued by channel and class, issued by a thread, landed. */
#ifndef TW__REQUEST_H
#define TW__REQUEST_H

#include <tilewright/sched.h>

#include "base/heap.h"
#include "trace/record.h"

struct driver;
struct hold;

/* A kernel or transfer in the engine. Its token is the address of this member of a hold or a request. */
struct activity {
	enum { ACTIVITY_KERNEL, ACTIVITY_TRANSFER } kind;
};

static inline uint64_t token_of(struct activity *a) { return (uint64_t)(uintptr_t)a; }

/* Classes of transfers, the most urgent first. */
enum request_class { CLASS_DEMAND, CLASS_PREFETCH, CLASS_IDLE, N_CLASSES };

enum request_state {
	REQUEST_AFTER_HOP, /* waits for its first hop */
	REQUEST_APART,     /* in its channel's queue, but not yet the copy's request: the model decides at its turn */
	REQUEST_QUEUED,    /* in its channel's queue */
	REQUEST_ISSUED,    /* room is taken, both ends are pinned; waits for older transfers or is under way */
	REQUEST_LANDED     /* the bytes have arrived; the issuing thread has not noted it yet */
};

/* The prefetches of a queued task. */
struct prefetched {
	int16_t node;   /* where its copies are protected, or TW_NONE */
	uint32_t moves; /* changes of `node`: requests made before the last one are void */
};

/* An assigned task that waits for a request. */
struct waiter {
	struct waiter *next, *next_of_all;
	struct hold *hold;
};

/* The neighbours of an issued transfer in the list of one memory. */
struct issued_at {
	struct request *older, *younger;
};

/* A request for a valid copy of a handle on a node; each copy has at most one. `from == to`: it asks only for room. */
struct request {
	struct activity activity;
	/* Keys of the queues: they come first, to share a cache line. */
	struct tw__heap_item queued; /* the oldest request of a run (transfers/queue.c) */
	int32_t priority;
	bool has_room;   /* its room is taken, but its transfer cannot start yet */
	bool in_transit; /* its source copy is pinned in main memory */
	uint64_t sequence;
	struct request *before, *behind; /* older and younger neighbour in its run */

	tw_data data;
	tw_node from, to;
	enum request_class class;
	enum request_state state;
	tw_task task;        /* the only task that it prefetches for, or TW_NONE */
	uint32_t task_moves; /* prefetched.moves of that task when it asked */
	uint32_t access;     /* of that task */
	enum tw__cause cause;
	unsigned mode;        /* of the access; a prefetch for writing moves the ownership */
	struct request *next; /* in a list: landed, or unused */
	struct request *next_of_all;
	struct waiter *waiters;
	struct request *followers, *next_follower; /* second hops that wait for this one */
	struct issued_at at[2];                    /* in the lists of source and destination; main memory has no list */
	uint64_t issued;                           /* number of transfers issued before it */
	int conflicts;                             /* older issued transfers that exclude it */
	size_t start_event;                        /* its index in the record */
	int64_t noted;                             /* for the model's hooks; 0 at first */
	tw_node reclaims;                          /* the memory whose victim it writes back, or TW_NONE */
	enum request_class refused_as;
	uint64_t refused_at; /* the memory's `changes` at the last refusal; 0: never refused */
};

static inline bool tw__request_is_queued(const struct request *r) { return r->queued.place >= 0 || r->before; }

#endif
