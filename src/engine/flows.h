/* A lower bound on the date of the next end of a transfer. With it an engine can move its clock without asking the
 * simulator. Weighted max-min sharing gives each flow at least its fair share of its tightest link. So a flow gets at
 * most the bandwidth that the others' least shares leave on each of its links. The bound is exact where all flows
 * share one bottleneck. */
#ifndef TW__FLOWS_H
#define TW__FLOWS_H

#include "platform/weights.h"

struct tw__flow {
	const struct tw__route *route;
	double weight;      /* the weight of the flow on shared links */
	double begin;       /* when its latency has passed: it takes bandwidth from then on */
	double entry;       /* when it starts to count as a user of bridges (bridges.h), at or before `begin` */
	double left;        /* lower bound on the bytes left at the date of the last update */
	double least, most; /* bounds on its rate since then, in bytes/s */
	bool flowing, entered;
	int place;
};

struct tw__flows {
	const struct tw_platform *platform;
	struct tw__flow **flows;
	int n;
	size_t capacity;
	double unit;    /* for weights (platform/weights.h) */
	double *demand; /* [links] the weights of the flows through it, once per crossing */
	double *taken;  /* [links] the sum of the least shares of all flows */
	int *users;     /* [links] the number of flows through it */
	double date;    /* of the last update */
};

int tw__flows_init(struct tw__flows *, const struct tw_platform *, double unit);
void tw__flows_finish(struct tw__flows *);

/* The caller owns the flow's memory, and keeps it until the flow is removed. `begin` must not be before any earlier
 * date. */
int tw__flows_add(struct tw__flows *, struct tw__flow *, const struct tw__route *, double begin, double bytes);
void tw__flows_remove(struct tw__flows *, struct tw__flow *, double now);

/* Returns a date before which no flow ends; it is at least min(until, the true next end). Dates must not go back. */
double tw__flows_horizon(struct tw__flows *, double until);

#endif
