/* Channels with their queues of requests, and lists of issued transfers. */
#ifndef TW__CHANNEL_H
#define TW__CHANNEL_H

#include "runtime/state/state.h"
#include "runtime/state/request.h"

struct channel { /* an ordered pair of memories; all zero until its first request */
	struct tw__heap queue[N_CLASSES]; /* runs of requests (queue.c) */
	int in_flight;             /* issued and not yet noticed */
	struct channel *next_used; /* of those with queues */
	bool used;
};

/* The issued transfers from or to a memory, by age. */
struct issued_list {
	struct request *oldest, *youngest;
};

static inline struct channel *channel_of(struct tw_sched *rt, tw_node from, tw_node to)
{
	return &rt->channels[(size_t)to * (size_t)rt->n_nodes + (size_t)from];
}

/* The lane of a channel: its number among the channels of its issuing thread, in the order of service. Channels into
 * the memory come first, by the node at the other end; the channel to main memory is last. */
static inline int lane_of(const struct tw_sched *rt, tw_node from, tw_node to)
{
	return to == TW_RAM && from != TW_RAM ? rt->n_nodes : from;
}

#endif
