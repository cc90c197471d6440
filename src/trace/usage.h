/* Usage over time, as counters that change with the events of a sorted record: allocated bytes in memories, bytes/s
 * on links and in and out of memories, waiting tasks. Nothing is collected during a run. */
#ifndef TW__USAGE_H
#define TW__USAGE_H

#include "trace/formats.h"

enum tw__counter {
	TW__MEMORY_USED, /* of a memory: allocated bytes */
	TW__MEMORY_IN,   /* incoming bytes/s */
	TW__MEMORY_OUT,  /* outgoing bytes/s */
	/* Of a link that can limit transfers (platform/bottlenecks.h): bytes/s; each transfer counts with its mean
	 * rate, once per crossing. */
	TW__LINK_USED,
	TW__TASKS_READY,     /* tasks that were pushed to the policy and are not yet assigned */
	TW__TASKS_SUBMITTED, /* tasks that are submitted and not yet done */
	TW__N_COUNTERS
};

/* Called when a counter gets a new value at that date. */
typedef void tw__usage_fn(void *context, int64_t date_ns, enum tw__counter, int index, int64_t value);

struct tw__usage;

/* NULL: out of memory. */
struct tw__usage *tw__usage_create(const struct tw__trace *, tw__usage_fn *, void *context);
void tw__usage_destroy(struct tw__usage *);

/* Whether the counter ever changes. */
bool tw__usage_moves(const struct tw__usage *, enum tw__counter, int index);

/* Reports 0 at the start for all counters that ever change. */
void tw__usage_begin(struct tw__usage *);

/* Processes event i of the record; call it for each event in order. First reports the counters that changed at
 * earlier dates, once for each counter and date. */
void tw__usage_step(struct tw__usage *, size_t i);

/* To be called after the last event. */
void tw__usage_end(struct tw__usage *);

#endif
