/* A set of disjoint intervals: the allocated ranges of bytes of one memory. Adding and removing an interval costs O(log
 * n). */
#ifndef TW__INTERVALS_H
#define TW__INTERVALS_H

#include <tilewright/base.h>

struct tw__interval {
	uint64_t start, length; /* first byte and number of bytes of the interval; length > 0 */
	int32_t owner;
};

/* All zeros: empty. */
struct tw__intervals {
	void *tree; /* of tsearch */
};

void tw__intervals_finish(struct tw__intervals *);

/* Returns the last interval that shares a byte with [start, start + length), or NULL. */
const struct tw__interval *tw__intervals_overlapping(const struct tw__intervals *, uint64_t start, uint64_t length);

/* Adds an interval, and returns it. NULL: it would share a byte with another one, and is not added. */
const struct tw__interval *tw__intervals_add(struct tw__intervals *, uint64_t start, uint64_t length, int32_t owner);

/* Removes an interval of the set. */
void tw__intervals_remove(struct tw__intervals *, const struct tw__interval *);

#endif
