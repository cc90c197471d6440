/* When each of some members, such as workers, is available: at max(start, now) + queued, where `start` is a date
 * and `queued` the time of what waits for it. Tells the least and the greatest of these, and finds the first
 * member that is available early enough. Setting and finding cost O(log members). */
#ifndef TILEWRIGHT_AVAILABILITY_H
#define TILEWRIGHT_AVAILABILITY_H

#include <tilewright/base.h>

/* Trees are arrays: the children of node i are 2i and 2i + 1, the root is 1, member m is the leaf n_leaves + m. A
 * node has the least of its leaves. A member is in some of the trees; in the others its leaf is INFINITY. */
struct tw_availability {
	int32_t n_leaves;                       /* a power of 2 */
	double *start, *ahead;                  /* those whose start lies ahead: start, and start + queued */
	double *passed;                         /* those whose start has passed: queued */
	double *ahead_negated, *passed_negated; /* for the greatest; NULL: it is not asked for */
	double *queued;                         /* [members] */
};

/* For members below `n`, all of them available now. Dates and times have one unit, the caller's. `greatest`: that
 * will be asked, too. TW_NOMEM: nothing is left allocated. */
int tw_availability_init(struct tw_availability *, int32_t n, bool greatest);
void tw_availability_finish(struct tw_availability *); /* also of a zeroed one */

void tw_availability_set(struct tw_availability *, int32_t member, double start, double queued, double now);

/* Call it with `now` before you ask at that date. Dates never go back. */
void tw_availability_pass(struct tw_availability *, double now);

double tw_availability_least(const struct tw_availability *, double now);
/* Only if init was told so. */
double tw_availability_greatest(const struct tw_availability *, double now);

/* The lowest member whose date is early enough; what holds for a date must hold for every earlier one. TW_NONE:
 * nobody's is. */
int32_t tw_availability_first(const struct tw_availability *, double now,
                              bool (*is_early_enough)(const void *what, double date), const void *what);

#endif
