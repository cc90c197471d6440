/* A request for a copy: queued by channel and class, issued by the thread that looks after the memory, landed. */
#ifndef TW__REQUEST_H
#define TW__REQUEST_H

#include <tilewright/sched.h>

#include "base/heap.h"
#include "trace/record.h"

struct driver;
struct hold;

/* What an engine is given: the token is the address of this, which is a part of a hold or of a request. */
struct activity {
	enum { ACTIVITY_KERNEL, ACTIVITY_TRANSFER } kind;
};

static inline uint64_t token_of(struct activity *a) { return (uint64_t)(uintptr_t)a; }

/* Classes of transfers, the most urgent first. */
enum request_class { CLASS_DEMAND, CLASS_PREFETCH, CLASS_IDLE, N_CLASSES };

enum request_state {
	REQUEST_AFTER_HOP, /* waits for the copy it will be made from */
	REQUEST_APART,     /* in its channel's queue, but not yet the copy's request: the model decides at its turn */
	REQUEST_QUEUED,    /* in its channel's queue */
	REQUEST_ISSUED,    /* room is taken, both ends are pinned; waits for older transfers or is under way */
	REQUEST_LANDED     /* the bytes are there; the thread that issued it has not noticed yet */
};

/* Where a task that waits has prefetched its data. */
struct prefetched {
	int16_t node;   /* where copies are protected for it, or TW_NONE */
	uint32_t moves; /* how often that has changed: requests of earlier places are void */
};

/* Someone who waits for a request: an assigned task. */
struct waiter {
	struct waiter *next, *next_of_all;
	struct hold *hold;
};

/* The place of an issued transfer among those that begin or end in one memory. */
struct issued_at {
	struct request *older, *younger;
};

/* The wish to have a valid copy of a data on a node; at most one at a time for each copy. `from == to`: room alone. */
struct request {
	struct activity activity;
	/* Queues compare these: first, so that they lie close together. */
	struct tw__heap_item queued;
	int32_t priority;
	bool has_room;   /* taken, but the copy cannot start yet */
	bool in_transit; /* the copy it starts from is held in main memory */
	uint64_t sequence;

	tw_data data;
	tw_node from, to;
	enum request_class class;
	enum request_state state;
	tw_task task;        /* the one task that it is a prefetch for, or TW_NONE */
	uint32_t task_moves; /* prefetched.moves of that task when it asked */
	enum tw__cause cause;
	unsigned mode;        /* of the access it is for: a prefetch for writing takes the ownership */
	struct request *next; /* in a list: landed, or unused */
	struct request *next_of_all;
	struct waiter *waiters;
	struct request *followers, *next_follower; /* second hops that wait for this one */
	struct issued_at at[2];                    /* its source, and its destination; main memory has no list */
	uint64_t issued;                           /* transfers before it: the younger, the more */
	int conflicts;                             /* older issued transfers that exclude it */
	size_t start_event;                        /* its place in the record */
	int64_t noted;                             /* by the model's hooks; 0 at first */
	tw_node reclaims;                          /* it is the write-back of a victim there; TW_NONE: it is not */
	enum request_class refused_as;
	uint64_t refused_at; /* memory's `changes` when it was refused room; 0: it was not */
};

#endif
