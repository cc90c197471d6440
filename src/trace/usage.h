/* What is in use over time, as counters that go up and down with the events of a sorted record: room taken in memories, bytes a
 * second on links and in and out of memories, tasks that wait. Nothing of it is kept during a run. */
#ifndef TW__USAGE_H
#define TW__USAGE_H

#include "trace/formats.h"

enum tw__counter {
	TW__MEMORY_USED, /* of a memory: bytes of the room taken */
	TW__MEMORY_IN,   /* bytes/s that come in */
	TW__MEMORY_OUT,  /* bytes/s that go out */
	TW__LINK_USED, /* of a link that can hold transfers back (platform/bottlenecks.h): bytes/s; each transfer counts with its
	                  mean rate, as often as its route has the link */
	TW__TASKS_READY,     /* tasks that the policy has and no worker */
	TW__TASKS_SUBMITTED, /* tasks that are submitted and not yet done */
	TW__N_COUNTERS
};

/* One counter takes that value at that date. */
typedef void tw__usage_fn(void *context, int64_t date_ns, enum tw__counter, int index, int64_t value);

struct tw__usage;

/* NULL: out of memory. */
struct tw__usage *tw__usage_create(const struct tw__trace *, tw__usage_fn *, void *context);
void tw__usage_destroy(struct tw__usage *);

/* Whether the counter ever moves. */
bool tw__usage_moves(const struct tw__usage *, enum tw__counter, int index);

/* Tells that counters that ever move are 0 at the start. */
void tw__usage_begin(struct tw__usage *);

/* The record's events, one by one: tells what had changed by the date before the i-th one's, once for each counter and date, and
 * takes note of the i-th. */
void tw__usage_step(struct tw__usage *, size_t i);

/* Behind the last event. */
void tw__usage_end(struct tw__usage *);

#endif
