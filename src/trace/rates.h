/* Rates of transfers over time, from the record of a simulated run. The model of shared links gives the rates at each
 * moment, from the starts of the transfers. */
#ifndef TW__TRACE_RATES_H
#define TW__TRACE_RATES_H

#include "links/use.h"
#include "trace/record.h"

/* A stretch of time, from one change of rates to the next. Dates are whole nanoseconds, but the model's transfers end
 * between them, so rates may also change in the last nanosecond of a stretch. Counts of bytes are exact. */
struct tw__rates {
	tw__ns from,
		until; /* until TW__NEVER: the last stretch, without transfers; from TW__NEVER: there are no more */
	struct tw__use use; /* the bytes of the stretch, and the rates at its end */
	const struct tw__record *record;
	size_t next; /* index of the next event that is the start of a transfer, or of the end of the record */
};

/* Prepares for a sorted record, with a stretch that ends at date 0. The platform must live as long; its routes may list
 * only links that can limit a transfer (platform/bottlenecks.h). Returns TW_OK or TW_NOMEM; call tw__rates_finish even
 * after a failure. */
int tw__rates_init(struct tw__rates *, const struct tw__record *, const struct tw_platform *, double unit);
void tw__rates_finish(struct tw__rates *);

/* Moves to the next stretch, which begins where the last one ended. Returns TW_OK or TW_NOMEM. */
int tw__rates_next(struct tw__rates *);

#endif
