/* Channels, where requests queue, and lists of issued transfers. */
#ifndef TW__CHANNEL_H
#define TW__CHANNEL_H

#include "runtime/state/state.h"
#include "runtime/transfers/request.h"

struct channel { /* an ordered pair of memories; all zero while nothing was asked for over it */
	struct tw__heap queue[N_CLASSES];
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

/* The channels that one driver issues have numbers in the order in which it looks at them: those into its memory, by the other end, then that
 * to main memory. */
static inline int lane_of(const struct tw_sched *rt, tw_node from, tw_node to)
{
	return to == TW_RAM && from != TW_RAM ? rt->n_nodes : from;
}

#endif
