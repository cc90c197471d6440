/* The idle gaps of one worker in a schedule under construction. For static policies that insert tasks into gaps
 * (insertion of HEFT, Topcuoglu, Hariri, Wu 2002). */
#ifndef TILEWRIGHT_GAPS_H
#define TILEWRIGHT_GAPS_H

#include <tilewright/sched.h>

struct tw_gap {
	/* Dates between which the worker is idle, in the caller's unit; the last gap ends at INFINITY. */
	double from, to;
};

struct tw_gaps {
	struct tw_gap *of; /* [n] the gaps in ascending order of dates */
	size_t n, capacity;
	double longest; /* upper bound of the lengths of all gaps but the last */
};

/* Starts with one gap, from date 0 to INFINITY, in memory of the run. */
void tw_gaps_init(struct tw_gaps *, const struct tw_sched *);

/* Returns the earliest start, not before the date `ready`, of a task of this length in a gap; fills `*gap` with the
 * gap's index. With `insertion` any gap counts, without it only the last. O(log gaps), plus one step per gap that is
 * too short. */
double tw_gaps_earliest(const struct tw_gaps *, double ready, double length, bool insertion, size_t *gap);

/* Removes the time from `start` to `end` from the gap, which must contain it. */
void tw_gaps_fill(struct tw_gaps *, const struct tw_sched *, size_t gap, double start, double end);

#endif
