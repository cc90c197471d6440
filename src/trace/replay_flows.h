/* The transfers of a record, for the rules about all transfers that share links. */
#ifndef TW__REPLAY_FLOWS_H
#define TW__REPLAY_FLOWS_H

#include "links/shares.h"
#include "trace/replay.h"

struct tw__flow_of {
	struct tw__share share;
	size_t place; /* scratch: its index among the transfers of a link */
	const struct tw__event *start, *end;
};

struct tw__flows_of {
	struct tw__replay *r;
	struct tw__flow_of *of; /* [n] in the order of their starts */
	size_t n, n_ended;      /* n_ended: how many the model has ended */
	double unit;            /* the latency of weight 1 (platform/weights.h) */
	double heaviest;        /* the greatest weight of a route */
	double rate_error;      /* the relative error of SimGrid's rates on this platform */
};

/* rules_links.c: checks a measured run. */
int tw__replay_links(struct tw__flows_of *);

#endif
