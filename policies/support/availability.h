/* The predicted dates when members, such as workers, are available. A member is available at max(start, now) + queued:
 * `start` is a date, and `queued` the time of the member's waiting work. The functions tell the least and the greatest
 * date of all members, and find the first member that is available early enough. Setting a date and finding a member
 * cost O(log members). */
#ifndef TILEWRIGHT_AVAILABILITY_H
#define TILEWRIGHT_AVAILABILITY_H

#include <tilewright/sched.h>

/* `start`, `ahead`, `passed` and the negated ones are trees, as arrays. The root is node 1, the children of node i are
 * 2i and 2i + 1, and the leaf of member m is n_leaves + m. A node has the least value of its leaves. A member that is
 * not in a tree has the value INFINITY there. */
struct tw_availability {
	int32_t n_leaves; /* leaves of each tree: a power of 2, at least the number of members */
	/* Two trees of the members whose start is in the future. Their values are start, and start + queued. */
	double *start, *ahead;
	double *passed; /* tree of the members whose start has passed; its values are `queued` */
	/* `ahead` and `passed` negated, to find the greatest date; NULL: not used */
	double *ahead_negated, *passed_negated;
	double *queued; /* [members] time of the waiting work of each member */
};

/* Starts with members 0 to n - 1, all available now. All dates and times have one unit, which the caller chooses.
 * `greatest`: allows calls of tw_availability_greatest(). The struct has memory of the run. */
void tw_availability_init(struct tw_availability *, const struct tw_sched *, int32_t n, bool greatest);

void tw_availability_set(struct tw_availability *, int32_t member, double start, double queued, double now);

/* Tells the struct that time has come to `now`. Call it before each question at a new date. Dates never go back. */
void tw_availability_pass(struct tw_availability *, double now);

double tw_availability_least(const struct tw_availability *, double now);
/* Returns the date when the last of all members is available. Only allowed if tw_availability_init() was called with
 * `greatest`. */
double tw_availability_greatest(const struct tw_availability *, double now);

/* Returns the lowest member whose date is early enough; TW_NONE: there is none. The predicate `is_early_enough` gets
 * `what`. If it holds for a date, it must hold for all earlier dates. */
int32_t tw_availability_first(const struct tw_availability *, double now,
                              bool (*is_early_enough)(const void *what, double date), const void *what);

#endif
