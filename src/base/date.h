/* Dates and durations of runs, in whole nanoseconds. Dates count from the first submission. Two dates are equal or
 * differ by at least 1 ns. So simultaneous events have equal dates, and the runtime handles them in a defined order. */
#ifndef TW__DATE_H
#define TW__DATE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef int64_t tw__ns;

/* A date that never comes. */
#define TW__NEVER INT64_MAX
/* The last date that a run can have, after 292 years. Sums of dates are at most this, and a run that reaches it
 * fails. */
#define TW__LAST (INT64_MAX - 1)

#define TW__NS_PER_S 1e9

/* Rounds seconds to the nearest nanosecond. Positive durations below 1 ns become 1 ns, negative ones 0. Not for NAN. */
static inline tw__ns tw__ns_of(double seconds)
{
	double ns = seconds * TW__NS_PER_S;
	if (ns >= (double)TW__LAST)
		return isinf(seconds) ? TW__NEVER : TW__LAST;
	return ns >= 0x1p52 ? (tw__ns)ns : ns >= 1 ? (tw__ns)(ns + 0.5) : ns > 0;
}

/* Converts to seconds; TW__NEVER becomes INFINITY. */
static inline double tw__seconds(tw__ns ns) { return ns == TW__NEVER ? INFINITY : (double)ns / TW__NS_PER_S; }

/* Returns the date `by` nanoseconds after `date`, at most TW__LAST. `by` >= 0; TW__NEVER: returns TW__NEVER. */
static inline tw__ns tw__later(tw__ns date, tw__ns by)
{
	return by == TW__NEVER ? TW__NEVER : date > TW__LAST - by ? TW__LAST : date + by;
}

static inline tw__ns tw__times_ns(tw__ns ns, int64_t n) { return n > 0 && ns > TW__LAST / n ? TW__LAST : ns * n; }
static inline tw__ns tw__earliest(tw__ns a, tw__ns b) { return a < b ? a : b; }
static inline tw__ns tw__latest(tw__ns a, tw__ns b) { return a > b ? a : b; }

/* Returns the rounding error, in nanoseconds, of a clock that is a double: it may show a date too late by this much. */
static inline double tw__clock_slack(double seconds) { return 4e-3 + seconds * TW__NS_PER_S * 0x1p-52; }

/* Returns how many seconds behind a date a clock that is a double may show events of this date. Less than
 * tw__clock_slack. */
static inline double tw__clock_spread(double seconds) { return 1e-14 + seconds * 0x1p-52; }

/* Between two events, a clock that is a double is less than this many seconds from its origin. */
#define TW__FARTHEST_S 2048.0

/* Returns by how much the origin of a clock that shows `seconds` moves: whole seconds; 0: the origin stays. */
static inline tw__ns tw__origin_step(double seconds)
{
	return seconds < TW__FARTHEST_S ? 0 : tw__ns_of(floor(seconds - TW__FARTHEST_S / 2));
}

/* Returns the date of an event at `seconds` on a clock that is a double. The date is rounded up, after subtracting the
 * clock's rounding error. */
static inline tw__ns tw__ns_after(double seconds)
{
	double ns = ceil(seconds * TW__NS_PER_S - tw__clock_slack(seconds));
	if (!(ns < (double)TW__LAST))
		return isinf(seconds) ? TW__NEVER : TW__LAST;
	return ns > 0 ? (tw__ns)ns : 0;
}

#endif
