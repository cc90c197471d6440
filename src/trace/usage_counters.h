/* The counters of struct tw__usage, for usage.c and usage_transfers.c, and the rates of transfers over time. The model
 * of shared links gives the rates at each moment, from the starts of the transfers of a simulated run. */
#ifndef TW__USAGE_COUNTERS_H
#define TW__USAGE_COUNTERS_H

#include "links/use.h"
#include "trace/record.h"
#include "trace/usage.h"

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

struct tw__usage_counter {
	int64_t value, told;
	bool changed; /* whether the counter is in the list of those that changed at the current date */
	bool moves;
	/* Bytes/s of a simulated run: the rate or the capacity from the end of the last stretch on. */
	double rate;
	double owed; /* bytes passed that are not in the counter's sum over time */
};

struct tw__usage {
	const struct tw__trace *t;
	struct tw_platform narrowed; /* the platform with routes that have only links that can limit a transfer */
	tw__usage_fn *tell;
	void *context;
	int first[TW__N_COUNTERS + 1];
	struct tw__usage_counter *counters; /* [first[TW__N_COUNTERS]] all counters, sorted by enum tw__counter */
	int *changed, n_changed;
	int64_t date_ns;
	struct tw__rates rates; /* of a simulated run: the first stretch whose rates the counters do not have yet */
	int *users;             /* [n_links] of a measured run: number of transfers on each link */
	int status;             /* TW_NOMEM: rates are missing */
};

static inline void tw__usage_set(struct tw__usage *u, enum tw__counter kind, int index, int64_t value)
{
	int i = u->first[kind] + index;
	struct tw__usage_counter *c = &u->counters[i];
	if (!c->changed && value != c->value)
		u->changed[u->n_changed++] = i;
	c->changed |= value != c->value;
	c->value = value;
}

/* A sum that does not fit, as damaged records have it, stays at the limit. */
static inline void tw__usage_add(struct tw__usage *u, enum tw__counter kind, int index, int64_t amount)
{
	int64_t sum;
	if (__builtin_add_overflow(u->counters[u->first[kind] + index].value, amount, &sum))
		sum = amount < 0 ? -INT64_MAX : INT64_MAX;
	tw__usage_set(u, kind, index, sum);
}

/* Marks the counters that a transfer changes: they move. */
void tw__usage_mark_transfer(struct tw__usage *, const struct tw__event *);

/* Sets the capacities of links to those of idle links. */
void tw__usage_reset_links(struct tw__usage *);

/* Counts event i, the start or the end of a transfer of a measured run. */
void tw__usage_measured(struct tw__usage *, size_t i);

/* Sets the counters of links and memories for the stretch of time in u->rates, of a simulated run. */
void tw__usage_simulated(struct tw__usage *);

#endif
