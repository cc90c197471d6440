/* The counters of struct tw__usage, for usage.c and usage_transfers.c. */
#ifndef TW__USAGE_COUNTERS_H
#define TW__USAGE_COUNTERS_H

#include "trace/rates.h"
#include "trace/usage.h"

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

static inline void tw__usage_add(struct tw__usage *u, enum tw__counter kind, int index, int64_t amount)
{
	tw__usage_set(u, kind, index, u->counters[u->first[kind] + index].value + amount);
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
