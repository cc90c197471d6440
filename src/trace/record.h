/* The record of a run: all events that the validator, the writers of traces and the metrics need. Events are in the
 * order in which the runtime noticed them. They are not sorted by date: the start of a kernel is recorded when the
 * engine reports the kernel's end. The function tw__record_sort sorts by date and keeps the record's order among equal
 * dates. */
#ifndef TW__RECORD_H
#define TW__RECORD_H

#include <tilewright/graph.h>

#include "base/date.h"

enum tw__event_kind {
	TW__SUBMIT, /* the task was submitted; sets: task */
	TW__READY,  /* the task was pushed to the policy; sets: task, worker that released it or TW_NONE */
	TW__ASSIGN, /* the worker popped the task; sets: task, worker, node (the worker's memory) */
	TW__START,  /* the kernel started; sets: task, worker, node */
	TW__END,    /* the kernel ended; sets: task, worker, node */
	/* The worker's thread handled the kernel's end: writes are committed, handles unpinned. Sets: task, worker,
	 * node. */
	TW__RELEASE,
	/* A transfer started; sets: data, from, node (destination), bytes, offset (id), cause. From a cluster's node to
	 * another it is the transfer of a message, and data is the receiver's handle. */
	TW__TRANSFER_START,
	TW__TRANSFER_END, /* a transfer ended; sets the members that its start sets */
	TW__ALLOC,        /* room was allocated for a copy; sets: data, node, offset, bytes */
	TW__FREE,         /* the room of a copy was freed; sets: data, node, offset, bytes, cause */
	TW__VALID,        /* a copy became valid; sets: data, node */
	TW__INVALID,      /* a copy became invalid; sets: data, node */
	/* The kernel was cancelled without effect, and the task is ready again. Sets: task, worker, node. */
	TW__CANCEL,
	/* A further worker has popped the task, which it runs together with the worker of the assignment. From the
	 * task's start to its end it computes. Sets: task, worker, node. */
	TW__JOIN,
	/* A handle was divided into its parts, or they were joined. Sets: data, node (the main memory where that
	 * happened), offset (which of them are usable now: enum tw__usable). */
	TW__FILTER,
	TW__N_EVENT_KINDS
};

/* Which of a divided handle tasks may access now: the whole, its parts, or both, which tasks then only read. */
enum tw__usable { TW__WHOLE = 1, TW__PARTS = 2, TW__BOTH = TW__WHOLE | TW__PARTS };

enum tw__cause {
	TW__DEMAND, /* a transfer for an assigned task */
	TW__PREFETCH,
	TW__IDLE,     /* a write-back while the link is idle */
	TW__EVICTION, /* to make room: a victim was written back, or its room was freed */
	TW__N_CAUSES
};

struct tw__event {
	tw__ns date;
	uint64_t
		bytes; /* TW__END, of a measured run: how long the launch on a GPU took, in ns; traces do not have it */
	uint64_t offset; /* TW__ALLOC, TW__FREE: place in the memory, in bytes; transfers: an id, unique in the run */
	int32_t task, data;
	int16_t worker, node, from;
	uint8_t kind, cause;
};

/* The greatest numbers that events name; 0: none does. */
struct tw__named {
	int32_t task, data;
	int16_t worker, node;
	bool to_itself; /* whether a transfer goes from a memory to itself */
};

struct tw__platform;

struct tw__record {
	struct tw__event *events;
	size_t n, capacity;
	/* A binary record that was read holds its events as they stand in the file (binary.h), sorted, in place of the
	 * array. They take a fifth of the memory. events.h goes over both forms. */
	unsigned char *bytes;
	tw__ns last;            /* of `bytes`: the date of the last event */
	struct tw__named named; /* by `bytes` */
	tw__ns makespan;        /* makespan of the run in ns; set when the run has ended */
	bool measured;          /* whether durations were measured on a real machine, so that no model predicts them */
	bool rounds; /* whether dates of transfers come from a clock of doubles, and have its rounding error */
	/* The run's graph with the tasks that reductions have appended; NULL: the graph has no reductions. */
	struct tw_graph *extended;
};

void tw__record_init(struct tw__record *);
void tw__record_finish(struct tw__record *);
void tw__record_add(struct tw__record *, const struct tw__event *);
void tw__record_sort(struct tw__record *); /* sorts events by date; events of one date keep their order */

/* Returns the graph to which the reductions of a run append tasks. */
struct tw_graph *tw__record_extend(const struct tw_graph *, const struct tw__platform *);

/* The record as bytes, from which the second function makes it again: for a run in another process. The caller frees
 * the bytes. Graph and platform are those of the run. False: the bytes are no record of it; *r is empty then. */
char *tw__record_pack(const struct tw__record *, int n_workers, size_t *bytes);
bool tw__record_unpack(struct tw__record *r, const char *bytes, size_t n_bytes, const struct tw_graph *,
                       const struct tw__platform *);

/* Returns the end of a sorted record: the makespan, or the date of its last event if that is later. */
static inline tw__ns tw__record_end(const struct tw__record *r)
{
	return r->n == 0 ? r->makespan : tw__latest(r->makespan, r->bytes ? r->last : r->events[r->n - 1].date);
}

#endif
