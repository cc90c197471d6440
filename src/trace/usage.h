/* Usage over time, as counters that change with the events of a sorted record. There are counters of allocated bytes in
 * memories, of bytes/s on links and in and out of memories, and of waiting tasks. They are computed after a run. */
#ifndef TW__USAGE_H
#define TW__USAGE_H

#include "trace/formats.h"

enum tw__counter {
	TW__MEMORY_USED, /* allocated bytes of a memory */
	TW__MEMORY_IN,   /* bytes/s that come into a memory */
	TW__MEMORY_OUT,  /* bytes/s that go out of a memory */
	/* Bytes/s on a link that can limit transfers (platform/bottlenecks.h). Each transfer counts with its mean rate,
	 * once per crossing. */
	TW__LINK_USED,
	TW__TASKS_READY,     /* tasks that were pushed to the policy and are not yet assigned */
	TW__TASKS_SUBMITTED, /* tasks that are submitted and not yet done */
	TW__N_COUNTERS
};

/* A function that the functions below call when a counter gets a new value. `index`: the number of the memory or link;
 * 0 for tasks. */
typedef void tw__usage_fn(void *context, int64_t date_ns, enum tw__counter, int index, int64_t value);

struct tw__usage;

/* Prepares the counters of a trace. `context` is passed to the function, which gets new values. NULL: out of memory. */
struct tw__usage *tw__usage_create(const struct tw__trace *, tw__usage_fn *, void *context);
void tw__usage_destroy(struct tw__usage *);

/* Whether the counter ever changes in this trace. */
bool tw__usage_moves(const struct tw__usage *, enum tw__counter, int index);

/* Calls the function with value 0 at date 0, for each counter that ever changes. */
void tw__usage_begin(struct tw__usage *);

/* Processes event i of the record; call it for each event in order. If the date is new, first reports each counter that
 * changed at the previous date. */
void tw__usage_step(struct tw__usage *, size_t i);

/* Reports the counters that changed at the last date. Call it after the last event. */
void tw__usage_end(struct tw__usage *);

#endif
