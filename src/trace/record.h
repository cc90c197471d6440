/* The record of a run: every event that the validator, the writers and the metrics need, in the order in which the
 * runtime was told of it. A kernel's start is recorded when the engine reports its end, so dates are not sorted.
 * tw__record_sort sorts by date and keeps the record's order among equals. */
#ifndef TW__RECORD_H
#define TW__RECORD_H

#include <tilewright/graph.h>

#include "base/date.h"

enum tw__event_kind {
	TW__SUBMIT, /* task */
	TW__READY,  /* task (pushed to the policy); worker: the one that released it, or TW_NONE */
	TW__ASSIGN, /* task, worker (popped); node: the worker's memory */
	TW__START,  /* task, worker; node */
	TW__END,    /* task, worker; node: the kernel has ended */
	/* Task, worker; node: the worker's thread has processed the end: writes are committed, handles unpinned. */
	TW__RELEASE,
	TW__TRANSFER_START, /* data, from, node (to), bytes, id, cause */
	TW__TRANSFER_END,   /* same */
	TW__ALLOC,          /* data, node, offset, bytes: room is allocated */
	TW__FREE,           /* data, node, offset, bytes: room is freed; cause */
	TW__VALID,          /* data, node: this copy is now valid */
	TW__INVALID,        /* data, node: this copy is no longer valid */
	/* Task, worker; node: the kernel was cancelled without effect, and the task is ready again. */
	TW__CANCEL,
	TW__N_EVENT_KINDS
};

enum tw__cause {
	TW__DEMAND, /* for an assigned task */
	TW__PREFETCH,
	TW__IDLE,     /* a write-back while the memory is idle */
	TW__EVICTION, /* to make room: the write-back of a last copy, or the freeing of room */
	TW__N_CAUSES
};

struct tw__event {
	tw__ns date;
	uint64_t bytes;
	uint64_t offset; /* TW__ALLOC, TW__FREE: offset in the node's memory; transfers: their id, unique in a run */
	int32_t task, data;
	int16_t worker, node, from;
	uint8_t kind, cause;
};

struct tw__record {
	struct tw__event *events;
	size_t n, capacity;
	bool out_of_memory; /* sticky; the run fails with TW_NOMEM */
	tw__ns makespan;    /* set at the end of the run */
	bool measured;      /* durations were measured on a real machine: no model predicts them */
	bool rounds;        /* dates of transfers come from a clock of doubles, and have its rounding error */
	struct tw_graph
		*extended; /* the run's graph with the tasks that reductions appended; or NULL: there are none */
};

void tw__record_init(struct tw__record *);
void tw__record_finish(struct tw__record *);
void tw__record_add(struct tw__record *, const struct tw__event *);
void tw__record_sort(struct tw__record *); /* stable, by date */

#endif
