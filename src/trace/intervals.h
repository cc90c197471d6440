/* Places taken in one memory: disjoint ranges of bytes. Taking and giving back cost O(log n). */
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
	struct tw__interval *pool; /* a treap ordered by start; indices instead of pointers, so that it can grow */
	int32_t n, capacity, root, unused;
	uint32_t seed;
};

void tw__intervals_init(struct tw__intervals *);
void tw__intervals_finish(struct tw__intervals *);

/* An interval that shares a byte with [start, start + length), or NULL. */
const struct tw__interval *tw__intervals_overlapping(const struct tw__intervals *, uint64_t start, uint64_t length);

/* It must overlap none. False: out of memory. */
bool tw__intervals_add(struct tw__intervals *, uint64_t start, uint64_t length, int32_t owner);

/* The interval that starts there must exist. */
void tw__intervals_remove(struct tw__intervals *, uint64_t start);

#endif
