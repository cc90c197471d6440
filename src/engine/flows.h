/* When can the next transfer end, at the earliest? A bound that lets an engine move its clock on without asking the
 * simulator: weighted max-min sharing gives every flow at least its fair share of its tightest link, so no flow gets more than what
 * the others' least shares leave on each of its links. Where all flows share one bottleneck, the bound is exact. */
#ifndef TW__FLOWS_H
#define TW__FLOWS_H

#include "platform/weights.h"

struct tw__flow {
	const struct tw__route *route;
	double weight;      /* flows share a link by these */
	double begin;       /* latency has passed: from then on it takes bandwidth */
	double entry;       /* ... and from then on, or earlier, bridges (bridges.h) are shared with it */
	double left;        /* bytes, at least, at the date of the last update */
	double least, most; /* bytes/s it gets, at least and at most, from then on */
	bool flowing, entered;
	int place;
};

struct tw__flows {
	const struct tw_platform *platform;
	struct tw__flow **flows;
	int n;
	size_t capacity;
	double unit;    /* of weights */
	double *demand; /* [links] weights of the flows through it, those that list it twice counting twice */
	double *taken;  /* [links] by the least shares of all */
	int *users;     /* [links] flows through it */
	double date;    /* of the last update */
};

int tw__flows_init(struct tw__flows *, const struct tw_platform *, double unit);
void tw__flows_finish(struct tw__flows *);

/* The flow's memory is the caller's, until it is removed. `begin` >= the last date told. */
int tw__flows_add(struct tw__flows *, struct tw__flow *, const struct tw__route *, double begin, double bytes);
void tw__flows_remove(struct tw__flows *, struct tw__flow *, double now);

/* No flow ends before the date returned, which is at least min(until, the true next end). Dates must not go back. */
double tw__flows_horizon(struct tw__flows *, double until);

#endif
