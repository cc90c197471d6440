/* SimGrid's clock is a double, which counts seconds from the engine's origin. The origin follows the dates, so the
 * clock keeps its precision in runs of any length. */
#ifndef TW__SIMGRID_CLOCK_H
#define TW__SIMGRID_CLOCK_H

#include <simgrid/engine.h>

#include "engine/simgrid_actors.h"

/* Returns the date in seconds from the origin. */
static inline double tw__clock_seconds(const struct tw__engine *e, tw__ns date)
{
	return date == TW__NEVER ? INFINITY : tw__seconds(date - e->origin);
}

/* Returns the date of an event that SimGrid's clock shows at `seconds`. */
static inline tw__ns tw__clock_date(const struct tw__engine *e, double seconds)
{
	return tw__later(e->origin, tw__ns_after(seconds));
}

/* Moves the origin, and SimGrid's clock with it, if that clock is far from the origin. Call this when the runtime's
 * date is no longer behind SimGrid's clock, and before the turn of that date. */
void tw__clock_follow(struct tw__engine *);

#endif
