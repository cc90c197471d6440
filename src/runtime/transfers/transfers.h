/* Transfers, from the request for a copy to its landing. A request (request.h) waits in its channel's queue until the
 * memory's thread issues it. It waits for transfers that exclude it, runs in the engine, and lands. */
#ifndef TW__TRANSFERS_H
#define TW__TRANSFERS_H

#include "runtime/state/request.h"

/* Functions of request.c: */
void tw__transfers_open(struct tw__rt *);
void tw__transfers_close(struct tw__rt *);

/* Requests a copy. A pending request for the copy is promoted and returned instead. NULL: the copy is
 * valid already, a write has its room already, or the run has failed. */
struct request *tw__request(struct tw__rt *, tw_data, tw_node to, unsigned mode, enum request_class, enum tw__cause,
                            int32_t priority);
void tw__request_promote(struct tw__rt *, struct request *, enum request_class, int32_t priority);
void tw__request_wait(struct tw__rt *, struct request *, struct hold *); /* makes the task wait for the request */
/* Ends a request that has landed, is served without a transfer, or is dropped. Tasks and requests that wait for it go
 * on. */
void tw__request_complete(struct tw__rt *, struct request *);
/* Drops the requests for a handle that no task needs any more, but not those that were issued. */
void tw__request_forget(struct tw__rt *, tw_data);
void tw__prefetch(struct tw__rt *, tw_data, tw_node, unsigned mode, int32_t priority, enum request_class);
/* With homes=first_touch: if nobody has touched the handle yet, it is now in the main memory of this node alone. */
__attribute__((cold, noinline)) void tw__touch_first(struct tw__rt *, tw_data, tw_node);
static inline void tw__touch(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (rt->untouched)
		tw__touch_first(rt, d, n);
}

/* The next functions of request.c are for src/runtime/transfers/ alone. */
/* Creates a request that is in no queue yet. */
struct request *tw__request_create(struct tw__rt *, tw_data, tw_node to, unsigned mode, enum request_class,
                                   enum tw__cause, int32_t priority);
/* Queues the request. If its source has no valid copy, chooses another source first. */
void tw__request_send(struct tw__rt *, struct request *);
void tw__request_route(struct tw__rt *, struct request *); /* chooses the request's source */
void tw__request_wait_for_hop(struct tw__rt *, struct request *);
void tw__request_leave_transit(struct tw__rt *, struct request *);
void tw__request_free(struct tw__rt *, struct request *);

/* Functions of queue.c, for src/runtime/transfers/ alone: */
void tw__queues_open(struct tw__rt *);
void tw__request_enqueue(struct tw__rt *, struct request *);
void tw__request_dequeue(struct tw__rt *, struct request *); /* does nothing if the request is in no queue */
/* Updates whether the thread is in the set `moving` of state.h. */
void tw__update_moving(const struct driver *);
struct request *tw__queue_first(const struct tw__heap *); /* of a queue that is not empty */
/* Returns the first request of the queue for which is_wanted is true; NULL: there is none. */
struct request *tw__queue_first_that(const struct tw__rt *, const struct tw__heap *,
                                     bool (*is_wanted)(const struct tw__rt *, const struct request *));

/* Functions of issue.c: */
/* Begins to issue one request, which becomes driver->issuing. *cost: its cost in ns. False: no request can be issued
 * now. */
bool tw__request_issue(struct driver *, tw__ns *cost);
/* Whether the thread may have requests to issue. Most turns have none. */
static inline bool tw__request_may_issue(const struct driver *d)
{
	return d->rt->n_making_room || tw_id_set_has(&d->rt->moving, d->id);
}
bool tw__request_any(const struct driver *); /* whether a request has landed or may be issued */
void tw__request_notice(struct driver *);    /* handles the landed requests, at least one */

/* Functions of prefetch.c, about queued tasks: */
void tw__prefetch_task(struct tw__rt *, tw_task, tw_node); /* prefetches all handles that the task reads */
/* Ends the task's protection of one copy, because a worker of the node has popped the task. */
void tw__prefetch_popped(struct tw__rt *, tw_task, tw_data, tw_node);
void tw__prefetch_drop(struct tw__rt *, tw_task); /* ends all protections of copies for the task */
/* The request in state REQUEST_APART has come to the head of its queue. */
void tw__prefetch_turn(struct tw__rt *, struct request *);

/* Functions of bus.c: */
/* Starts the transfer of an issued request, or lets it wait for older transfers that exclude it. */
void tw__bus_submit(struct tw__rt *, struct request *);
/* Notes the end of a transfer, and starts transfers that have waited for it. */
void tw__bus_done(struct tw__rt *, struct request *, const struct tw__completion *);

/* Functions of unjam.c: */
/* On a stall, begins to drain a memory, or drops unneeded requests. False: neither is possible. */
bool tw__unjam(struct tw__rt *);

#endif
