/* Stretches of time in a simulated run, from one change of rates to the next. The model of shared links gives the rates
 * at each moment, from the starts of transfers. Dates are whole nanoseconds, but the model's transfers end between
 * them, so rates may also change in the last nanosecond of a stretch. Counts of bytes are exact. */
#ifndef TW__STRETCH_H
#define TW__STRETCH_H

#include "links/use.h"
#include "trace/events.h"
#include "trace/formats.h"

struct tw__stretch {
	tw__ns from, until; /* until TW__NEVER: the last one, without transfers; from TW__NEVER: there are no more */
	struct tw__use use; /* the bytes of the stretch, and the rates at its end */
	struct tw__events events;
	const struct tw__event *start; /* the next start of a transfer; NULL: there are no more */
};

/* Begins with a stretch that ends at date 0. `narrowed`: the trace's platform (platform/bottlenecks.h), which must live
 * as long. The caller finishes stretch->use. */
void tw__stretch_open(struct tw__stretch *, const struct tw__trace *, const struct tw__platform *narrowed,
                      bool links_only);

/* Moves to the next stretch, which begins where the last one ended. */
void tw__stretch_next(struct tw__stretch *);

#endif
