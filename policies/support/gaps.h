/* The idle gaps of a worker in a schedule that is being made: a help for static policies that place tasks into them (insertion
 * of HEFT, Topcuoglu, Hariri, Wu 2002). */
#ifndef TILEWRIGHT_GAPS_H
#define TILEWRIGHT_GAPS_H

#include <stdbool.h>
#include <stddef.h>

#include <tilewright/base.h>

struct tw_gap {
	double from, to; /* idle dates, in the caller's unit; the last gap ends at INFINITY */
};

struct tw_gaps {
	struct tw_gap *of; /* ascending */
	size_t n, capacity;
	double longest; /* that no gap is longer than, but the last */
};

/* One gap, from 0 on. TW_NOMEM: nothing is left allocated. */
int tw_gaps_init(struct tw_gaps *);
void tw_gaps_finish(struct tw_gaps *); /* also of a zeroed one */

/* When a task of that length can start at the earliest, not before `ready`, and in which gap: in any, or, without
 * `insertion`, behind all that was placed. O(log gaps), and one look at each gap that is too short. */
double tw_gaps_earliest(const struct tw_gaps *, double ready, double length, bool insertion, size_t *gap);

/* Takes [start, end] out of the gap, which holds it. TW_NOMEM. */
int tw_gaps_fill(struct tw_gaps *, size_t gap, double start, double end);

#endif
