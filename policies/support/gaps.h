/* The idle gaps of a worker in a schedule under construction, for static policies that insert tasks into them
 * (insertion of HEFT, Topcuoglu, Hariri, Wu 2002). */
#ifndef TILEWRIGHT_GAPS_H
#define TILEWRIGHT_GAPS_H

#include <stdbool.h>
#include <stddef.h>

#include <tilewright/base.h>

struct tw_gap {
	double from, to; /* idle from one date to the other, in the caller's unit; the last gap ends at INFINITY */
};

struct tw_gaps {
	struct tw_gap *of; /* in ascending order */
	size_t n, capacity;
	double longest; /* upper bound of all gaps but the last */
};

/* Starts with one gap, from 0 to INFINITY. TW_NOMEM: nothing is left allocated. */
int tw_gaps_init(struct tw_gaps *);
void tw_gaps_finish(struct tw_gaps *); /* accepts a zeroed struct */

/* The earliest start, not before `ready`, of a task of that length, and the gap. With `insertion` any gap counts,
 * without it only the last. O(log gaps), plus one step per gap that is too short. */
double tw_gaps_earliest(const struct tw_gaps *, double ready, double length, bool insertion, size_t *gap);

/* Takes [start, end] out of the gap, which must contain it. TW_NOMEM. */
int tw_gaps_fill(struct tw_gaps *, size_t gap, double start, double end);

#endif
