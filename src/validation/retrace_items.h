/* The dependencies between the items of a past run: retrace_waits.c finds them, retrace.c replays the run. */
#ifndef TW__RETRACE_ITEMS_H
#define TW__RETRACE_ITEMS_H

#include "base/date.h"
#include "base/heap.h"
#include "engine/shares.h"
#include "graph/graph.h"
#include "validation/retrace.h"

/* A kernel or a copy. Kernels come first, by task; then copies, as in the history. */
struct tw__past_item {
	struct tw__heap_item in_heap; /* keyed by its start, or by its own end */
	struct tw__share share;
	bool runs, has_started;
	tw__ns past_start, past_end;
	tw__ns delay; /* from the end of all its dependencies to its start */
	uint32_t n_awaited, n_left;
	tw__ns date; /* the key in the heap */
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
	int32_t *waiters; /* the waiters of all items, grouped by item */
	tw__ns tail;      /* from the last end to the makespan */
};

static inline const struct tw__past_copy *tw__past_copy_of(const struct tw__retrace *r, int32_t item)
{
	return &r->setup.history->copies[item - r->n_tasks];
}

/* Find the dependencies and delays, from the items' past dates; then the waiters of each item. TW_NOMEM. */
int tw__retrace_find_waits(struct tw__retrace *, struct tw_error *err);
int tw__retrace_list_waiters(struct tw__retrace *, struct tw_error *err);

#endif
