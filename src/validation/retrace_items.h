/* The items (kernels and copies) of a past run, and their dependencies. retrace_waits.c finds the dependencies, and
 * retrace.c replays the run. */
#ifndef TW__RETRACE_ITEMS_H
#define TW__RETRACE_ITEMS_H

#include "base/date.h"
#include "base/heap.h"
#include "links/shares.h"
#include "graph/graph.h"
#include "validation/retrace.h"

/* A kernel or a copy of the past run. In the array of items, kernels come first, by task; then copies, in the history's
 * order. */
struct tw__past_item {
	struct tw__heap_item in_heap; /* in the heap of coming starts and ends of items, sorted by `date` */
	struct tw__share share;
	bool runs, has_started;
	tw__ns past_start, past_end;
	tw__ns delay; /* ns in the past run from the end of the item's last dependency to its start */
	uint32_t n_awaited, n_left;
	tw__ns date; /* date of the item's coming start or end */
	size_t first_waiter, n_waiters;
};

struct tw__past_wait {
	int32_t waiter, awaited;
};

struct tw__retrace {
	struct tw__retrace_setup setup;
	struct tw__past_item *items;
	int32_t n_tasks, n;
	struct tw__past_wait *waits;
	size_t n_waits, capacity;
	int32_t *waiters; /* indices of items that wait for an item, grouped by the awaited item */
	tw__ns tail;      /* ns in the past run from the end of the last kernel to the makespan */
};

static inline const struct tw__past_copy *tw__past_copy_of(const struct tw__retrace *r, int32_t item)
{
	return &r->setup.history->copies[item - r->n_tasks];
}

/* Finds the dependencies and delays of items from their past dates, and lists the waiters of each item. */
void tw__retrace_find_waits(struct tw__retrace *);

#endif
