/* The dates when members, such as workers, are available: max(start, now) + queued. `start` is a date, and `queued`
 * the time of the member's waiting work. Tells the least and the greatest date, and finds the first member that is
 * available early enough. Setting and finding cost O(log members). */
#ifndef TILEWRIGHT_AVAILABILITY_H
#define TILEWRIGHT_AVAILABILITY_H

#include <tilewright/base.h>

/* Trees are arrays: the children of node i are 2i and 2i + 1, the root is 1, and member m is leaf n_leaves + m. A
 * node has the least of its leaves. In trees without a member, its leaf is INFINITY. */
struct tw_availability {
	int32_t n_leaves;                       /* a power of 2 */
	double *start, *ahead;                  /* members whose start is in the future: start; start + queued */
	double *passed;                         /* members whose start has passed: queued */
	double *ahead_negated, *passed_negated; /* for the greatest date; NULL: not used */
	double *queued;                         /* [members] */
};

/* For members 0 to n - 1, all available now. Dates and times have one unit, the caller's choice. `greatest`: allows
 * tw_availability_greatest(). TW_NOMEM: nothing is left allocated. */
int tw_availability_init(struct tw_availability *, int32_t n, bool greatest);
void tw_availability_finish(struct tw_availability *); /* accepts a zeroed struct */

void tw_availability_set(struct tw_availability *, int32_t member, double start, double queued, double now);

/* Call it with `now` before each question at that date. Dates never go back. */
void tw_availability_pass(struct tw_availability *, double now);

double tw_availability_least(const struct tw_availability *, double now);
/* Only if init was called with `greatest`. */
double tw_availability_greatest(const struct tw_availability *, double now);

/* The lowest member whose date is early enough, by a predicate that must hold for all dates before one for which it
 * holds. TW_NONE: there is none. */
int32_t tw_availability_first(const struct tw_availability *, double now,
                              bool (*is_early_enough)(const void *what, double date), const void *what);

#endif
