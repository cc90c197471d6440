/* Channels (ordered pairs of memories) with their queues of requests, and lists of issued transfers. */
#ifndef TW__CHANNEL_H
#define TW__CHANNEL_H

#include "runtime/state/state.h"
#include "runtime/state/request.h"

struct channel { /* transfers from one memory to another; all members are zero until the first request */
	struct tw__heap queue[N_CLASSES]; /* runs of requests (queue.c) */
	int in_flight;             /* number of transfers that were issued, and whose end no thread has noticed */
	struct channel *next_used; /* link in the list of channels that have had requests */
	bool used;
};

/* A list of the issued transfers from or to one memory, by age. */
struct issued_list {
	struct request *oldest, *youngest;
};

static inline struct channel *channel_of(struct tw__rt *rt, tw_node from, tw_node to)
{
	return &rt->channels[(size_t)to * (size_t)rt->n_nodes + (size_t)from];
}

/* Returns the lane of a channel: its number among the channels of the thread that issues its transfers, in the order of
 * service. Channels into the thread's memory come first, by the node at the other end. Those to main memories are
 * last. */
static inline int lane_of(const struct tw__rt *rt, tw_node from, tw_node to)
{
	return to < rt->n_mains && from >= rt->n_mains ? rt->n_nodes + to : from;
}

#endif
