/* Transfers, from the request for a copy to its landing. A request (request.h) waits in its channel's queue, is
 * issued by the memory's thread, waits for transfers that exclude it, runs in the engine, and lands. */
#ifndef TW__TRANSFERS_H
#define TW__TRANSFERS_H

#include "runtime/state/state.h"
#include "runtime/state/request.h"

/* open.c */
int tw__transfers_open(struct tw_sched *); /* TW_NOMEM: close is due all the same */
void tw__transfers_close(struct tw_sched *);

/* request.c. Requests a copy; a pending request is promoted and returned instead. NULL: the copy is valid already,
 * a write has its room already, or the run has failed. */
struct request *tw__request(struct tw_sched *, tw_data, tw_node to, unsigned mode, enum request_class, enum tw__cause,
                            int32_t priority);
void tw__request_promote(struct tw_sched *, struct request *, enum request_class, int32_t priority);
void tw__request_wait(struct tw_sched *, struct request *, struct hold *); /* the task waits for it */
void tw__request_complete(struct tw_sched *, struct request *); /* it is served or dropped: its waiters go on */
void tw__prefetch(struct tw_sched *, tw_data, tw_node, unsigned mode, int32_t priority, enum request_class);
struct request *tw__write_home(struct tw_sched *, tw_data, tw_node from); /* to its backing memory */
/* ... for this folder alone: */
struct request *tw__request_create(
	struct tw_sched *, tw_data, tw_node to, unsigned mode, enum request_class, enum tw__cause,
	int32_t priority); /* a request that is in no queue yet; NULL: out of memory, and the run has failed */
void tw__request_send(struct tw_sched *, struct request *); /* queues it; chooses a new source if the old one is gone */
void tw__request_route(struct tw_sched *, struct request *); /* chooses its source */
void tw__request_wait_for_hop(struct tw_sched *, struct request *);
void tw__request_leave_transit(struct tw_sched *, struct request *);
void tw__request_free(struct tw_sched *, struct request *);

/* queue.c, for this folder alone. */
int tw__queues_open(struct tw_sched *); /* TW_NOMEM: tw__transfers_close is due all the same */
void tw__request_enqueue(struct tw_sched *, struct request *);
void tw__request_dequeue(struct tw_sched *, struct request *); /* does nothing if the request is in no queue */
void tw__update_moving(const struct driver *);                 /* whether it is in that set */
struct request *tw__queue_first(const struct tw__heap *);      /* of a queue that is not empty */
/* The first request of the queue that is wanted; NULL: none is. */
struct request *tw__queue_first_that(const struct tw_sched *, const struct tw__heap *,
                                     bool (*is_wanted)(const struct tw_sched *, const struct request *));

/* issue.c */
bool tw__request_issue(struct driver *,
                       tw__ns *cost);        /* issues one request: driver->issuing; false: none can be issued now */
bool tw__request_any(const struct driver *); /* a request has landed, or may be issued */
bool tw__request_notice(struct driver *);    /* handles landed requests; whether there were any */
bool tw__requests_drop(struct tw_sched *);   /* drops unneeded requests that wait for room; false: none */

/* prefetch.c: prefetches of queued tasks. tw__prefetch_share protects the copy for the task at once. */
void tw__prefetch_task(struct tw_sched *, tw_task, tw_node);
void tw__prefetch_share(struct tw_sched *, tw_task, tw_data, tw_node, unsigned mode);
void tw__prefetch_popped(struct tw_sched *, tw_task, tw_data, tw_node); /* a worker of the node has popped the task */
void tw__tidy(struct tw_sched *, tw_node);          /* requests idle write-backs if few copies are clean there */
void tw__prefetch_drop(struct tw_sched *, tw_task); /* ends the task's protections */

/* bus.c */
void tw__bus_submit(struct tw_sched *, struct request *);
void tw__bus_done(struct tw_sched *, struct request *, const struct tw__completion *);

/* unjam.c */
bool tw__unjam(struct tw_sched *); /* on a stall: drains a memory, or drops unneeded requests; false: neither helps */
bool tw__unjam_ready(struct tw_sched *, struct hold *); /* its memory has drained, and its set has places */

#endif
