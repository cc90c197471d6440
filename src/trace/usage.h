/* Usage over time, as counters that change with the events of a sorted record. There are counters of allocated bytes in
 * memories, of bytes/s on links and in and out of memories, and of waiting tasks. They are computed after a run.
 *
 * In simulated runs, bytes/s are the rates at each moment (rates.h). In measured runs these are unknown, so each
 * transfer counts with its mean rate from its start to its end. */
#ifndef TW__USAGE_H
#define TW__USAGE_H

#include "trace/formats.h"

enum tw__counter {
	TW__MEMORY_USED, /* allocated bytes of a memory */
	TW__MEMORY_IN,   /* bytes/s that come into a memory */
	TW__MEMORY_OUT,  /* bytes/s that go out of a memory */
	TW__LINK_USED,   /* bytes/s on a link that can limit transfers (platform/bottlenecks.h), once per crossing */
	/* Bytes/s that such a link can pass at that moment. Only for links where this changes: those with a lesser
	 * shared_bandwidth, and fat pipes. Other links can always pass their bandwidth. */
	TW__LINK_CAPACITY,
	TW__TASKS_READY,     /* tasks that were pushed to the policy and are not yet assigned */
	TW__TASKS_SUBMITTED, /* tasks that are submitted and not yet done */
	TW__LINK_SATURATED,  /* 1 while a link passes at least TW__SATURATED of what it can pass; otherwise 0 */
	TW__N_COUNTERS
};

/* The share of what a link can pass from which on it is saturated. */
#define TW__SATURATED 0.95

/* Sets of counters. The usual ones are all but bytes/s of memories and saturated links. */
enum tw__usage_of { TW__USAGE_SATURATED = 1, TW__USAGE_USUAL = 2, TW__USAGE_MEMORY_RATES = 4 };

/* Called when a counter gets a new value. `index`: the number of the memory or link; 0 for tasks. */
typedef void tw__usage_fn(void *context, int64_t date_ns, enum tw__counter, int index, int64_t value);

struct tw__usage;

/* Prepares counters of a trace: sets of enum tw__usage_of. `context` is passed to the functions that get values and
 * events. */
struct tw__usage *tw__usage_create(const struct tw__trace *, unsigned of, tw__usage_fn *, void *context);
void tw__usage_destroy(struct tw__usage *);

/* Whether the counter ever changes in this trace. */
bool tw__usage_moves(const struct tw__usage *, enum tw__counter, int index);

/* Takes the i-th event of the record; false: no more. */
typedef bool tw__usage_take(void *context, const struct tw__event *, size_t i);

/* Tells the value at date 0 of each counter that ever changes, and then goes through the record. Each counter that
 * changes is told before the next date's events. Calls `take` for each event, unless it is NULL. */
void tw__usage_pass(struct tw__usage *, tw__usage_take *take);

#endif
