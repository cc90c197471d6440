/* Shares (shares.h) for callers whose dates are whole nanoseconds. Doubles count seconds from an origin that follows
 * the dates, so they keep their precision in runs of any length. The native engine and the validator compute the same
 * bits with it. */
#ifndef TW__DATED_H
#define TW__DATED_H

#include "base/date.h"
#include "links/shares.h"

struct tw__dated {
	struct tw__shares shares;
	tw__ns origin; /* date that second 0 of `shares` stands for */
	double now;    /* the last date passed to `shares`, in its seconds */
};

/* As tw__shares_init and tw__shares_finish. */
void tw__dated_init(struct tw__dated *, const struct tw__platform *, const struct tw__weights *);
void tw__dated_finish(struct tw__dated *);

/* Begins a transfer at `date`. Ends up to that date, rounded up, may have a later fraction of the nanosecond. */
void tw__dated_begin(struct tw__dated *, struct tw__share *, tw_node from, tw_node to, double bytes, tw__ns date);

/* Returns the true date of the next end in seconds since `origin`; INFINITY: no transfer is under way. */
static inline double tw__dated_next_s(struct tw__dated *d) { return tw__shares_next(&d->shares); }

/* Returns that date as a date of the runtime, rounded up; TW__NEVER: no transfer is under way. */
static inline tw__ns tw__dated_next(struct tw__dated *d)
{
	return tw__later(d->origin, tw__ns_after(tw__dated_next_s(d)));
}

/* Removes and returns the next transfer that ends. A transfer must be under way. */
struct tw__share *tw__dated_end(struct tw__dated *);

#endif
