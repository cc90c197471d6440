/* The allocated ranges of bytes of one memory; they are disjoint. Adding and removing cost O(log n) on average. */
#ifndef TW__INTERVALS_H
#define TW__INTERVALS_H

#include <tilewright/base.h>

struct tw__interval {
	uint64_t start, length; /* bytes; length > 0 */
	int32_t owner;
	uint32_t priority; /* heap order of the treap */
	int32_t left, right;
};

struct tw__intervals {
	/* A treap ordered by start; indices instead of pointers, so that the pool can be reallocated. */
	struct tw__interval *pool;
	int32_t n, capacity, root, unused;
	uint32_t seed;
};

void tw__intervals_init(struct tw__intervals *);
void tw__intervals_finish(struct tw__intervals *);

/* Returns an interval that shares a byte with [start, start + length), or NULL. */
const struct tw__interval *tw__intervals_overlapping(const struct tw__intervals *, uint64_t start, uint64_t length);

/* The range must not overlap another. False: out of memory. */
bool tw__intervals_add(struct tw__intervals *, uint64_t start, uint64_t length, int32_t owner);

/* The interval that starts there must exist. */
void tw__intervals_remove(struct tw__intervals *, uint64_t start);

#endif
