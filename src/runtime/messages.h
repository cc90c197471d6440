/* Messages of a node of a cluster, which has a run of its own. No policy gets the tasks that send or receive them. When
 * such a task is ready, the node's network thread requests its handle in main memory: a valid copy to send, or a copy
 * to write. With GPUDirect it may be in the memory of a card instead (direct.c). Then this end of the message is ready,
 * and the cluster is told. It starts one transfer when both are, and tells both of its end. The thread then ends the
 * task and releases successors, as a worker's does. */
#ifndef TW__MESSAGES_H
#define TW__MESSAGES_H

#include "runtime/state/threads.h"

void tw__messages_open(struct tw__rt *); /* adds the thread; does nothing if the run is of no cluster */
void tw__messages_close(struct tw__rt *);

/* The task, which sends or receives a message, is ready. */
void tw__message_post(struct tw__rt *, tw_task, tw_worker released_by);
/* Steps of the network thread, with their cost in ns: it notes ends that are ready, and ends a task. */
tw__ns tw__messages_turn(struct driver *);
tw__ns tw__messages_end(struct driver *);
/* A step of a worker's thread, with its cost in ns: it pins buffers of receives that wait for them (buffers.c). */
tw__ns tw__pin(struct driver *);

/* Returns the end of a message whose transfer the engine has begun. */
struct tw__parcel *tw__parcel_of(struct activity *);

static inline bool tw__sends_or_receives(const struct tw__rt *rt, tw_task t)
{
	return rt->in->rank && t < rt->in->rank->n_tasks && rt->in->rank->message_of[t] != TW_NONE;
}

#endif
