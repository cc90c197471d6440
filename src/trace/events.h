/* Goes over the events of a record, in its order. A loop over events works on both forms of a record:
 *
 *     struct tw__events all;
 *     tw__events_begin(&all, record);
 *     for (const struct tw__event *e; (e = tw__events_next(&all));)
 *
 * Code that changes events, or goes back and forth between them, takes the array of events; tw__record_spread makes
 * it of a binary record. */
#ifndef TW__EVENTS_H
#define TW__EVENTS_H

#include "trace/binary.h"

enum { TW__EVENTS_BLOCK = 64 };

struct tw__events {
	const struct tw__event *next, *end; /* in the record's array, or in the block */
	/* The rest is of a binary record. */
	struct tw__binary_place place; /* behind the block */
	size_t left;                   /* events behind the block */
	struct tw__event block[TW__EVENTS_BLOCK];
};

/* The record must outlive the loop. */
void tw__events_begin(struct tw__events *, const struct tw__record *);

/* Reads the next block of a binary record. False: there is none. */
bool tw__events_more(struct tw__events *);

/* Returns the next event, which is valid until the next call; NULL: there is none. */
static inline const struct tw__event *tw__events_next(struct tw__events *all)
{
	return all->next < all->end || tw__events_more(all) ? all->next++ : NULL;
}

/* Whether the event is of a task that sends or receives a message between nodes of a cluster (graph/ranks.h): no worker
 * has it. */
bool tw__is_message_step(const struct tw_graph *, const struct tw__event *);

/* Makes the array of events of a binary record. */
void tw__record_spread(struct tw__record *);

/* Adds the events of a binary record, which is empty then. */
void tw__record_append(struct tw__record *, struct tw__record *binary);

/* Returns an array [n] for a sorted record, which the caller frees. For the event of a transfer's start, it has the
 * index of the event of its end, and vice versa. SIZE_MAX: not recorded, or another event. */
size_t *tw__record_pairs(const struct tw__record *);

#endif
