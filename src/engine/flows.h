/* A lower bound on the date of the next end of a transfer, for the SimGrid engine. With this bound the engine can move
 * its clock without asking SimGrid. Weighted max-min sharing gives each flow at least its fair share of its tightest
 * link. So a flow gets at most the bandwidth that the least shares of the other flows leave on each of its links. The
 * bound is exact where all flows share one bottleneck. */
#ifndef TW__FLOWS_H
#define TW__FLOWS_H

#include "platform/weights.h"

struct tw__flow {
	const struct tw__route *route;
	double weight;      /* weight of the flow in the sharing of links */
	double begin;       /* date at which the flow's latency has passed: the flow takes bandwidth from then on */
	double entry;       /* date from which the flow counts as a user of bridges (bridges.h), at or before `begin` */
	double left;        /* lower bound on the bytes that the flow has left at tw__flows.date */
	double least, most; /* bounds on the flow's rate since tw__flows.date, in bytes/s */
	bool flowing, entered;
	int place;
};

struct tw__flows {
	const struct tw_platform *platform;
	struct tw__flow **flows;
	int n;
	size_t capacity;
	double unit;    /* the latency of weight 1 (platform/weights.h) */
	double *demand; /* [links] sum of the weights of the flows through the link, once per crossing */
	double *taken;  /* [links] sum of the least shares of the flows through the link, in bytes/s */
	int *users;     /* [links] number of flows that count as users of the link */
	double date;    /* date of the last update, in seconds */
};

int tw__flows_init(struct tw__flows *, const struct tw_platform *, double unit);
void tw__flows_finish(struct tw__flows *);

/* Adds a flow, which takes bandwidth from `begin` on. The caller owns the flow's memory, and keeps it until the flow is
 * removed. `begin` must not be before the date of any earlier call. */
int tw__flows_add(struct tw__flows *, struct tw__flow *, const struct tw__route *, double begin, double bytes);
void tw__flows_remove(struct tw__flows *, struct tw__flow *, double now);

/* Subtracts `seconds` from all dates. */
void tw__flows_shift(struct tw__flows *, double seconds);

/* Returns a date before which no flow ends, at least min(until, the true next end). Dates of calls must not go back. */
double tw__flows_horizon(struct tw__flows *, double until);

#endif
