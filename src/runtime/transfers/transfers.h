/* Transfers: from the wish for a copy to its landing. A request (request.h) waits in the queue of its channel, is issued by
 * the thread that looks after the memory, waits for transfers that exclude it, is under way, and lands. */
#ifndef TW__TRANSFERS_H
#define TW__TRANSFERS_H

#include "runtime/state/state.h"
#include "runtime/transfers/request.h"

/* open.c */
int tw__transfers_open(struct tw_sched *); /* TW_NOMEM: close is due all the same */
void tw__transfers_close(struct tw_sched *);

/* request.c: the wish for a copy; the pending one if there is one, then as urgent as both. NULL: nothing is to do. */
struct request *tw__request(struct tw_sched *, tw_data, tw_node to, unsigned mode, enum request_class, enum tw__cause,
                            int32_t priority);
void tw__request_promote(struct tw_sched *, struct request *, enum request_class, int32_t priority);
void tw__request_wait(struct tw_sched *, struct request *, struct hold *); /* the task waits for it */
void tw__request_complete(struct tw_sched *, struct request *); /* served, or pointless: whoever waited goes on */
void tw__prefetch(struct tw_sched *, tw_data, tw_node, unsigned mode, int32_t priority, enum request_class);
struct request *tw__write_home(struct tw_sched *, tw_data, tw_node from); /* to its backing memory */
/* ... its parts, for this folder */
bool tw__request_before(const struct tw__heap_item *, const struct tw__heap_item *);
struct request *
tw__request_create(struct tw_sched *, tw_data, tw_node to, unsigned mode, enum request_class, enum tw__cause,
                   int32_t priority); /* that nobody knows of yet; NULL: out of memory, and the run has failed */
void tw__request_send(struct tw_sched *, struct request *); /* queues it; chooses its source, if it has none any more */
void tw__request_enqueue(struct tw_sched *, struct request *);
void tw__request_dequeue(struct tw_sched *, struct request *);
void tw__request_route(struct tw_sched *, struct request *); /* chooses its source */
void tw__request_wait_for_hop(struct tw_sched *, struct request *);
void tw__request_leave_transit(struct tw_sched *, struct request *);
void tw__request_free(struct tw_sched *, struct request *);

/* issue.c */
bool tw__request_issue(struct driver *, tw__ns *cost); /* one: driver->issuing; false: nothing can be issued now */
bool tw__request_any(const struct driver *);           /* has landed, or may be issued */
bool tw__request_notice(struct driver *);              /* what has landed */
bool tw__requests_drop(struct tw_sched *); /* those that wait for room where nobody waits for them; false: none */

/* prefetch.c: prefetches of tasks in queues. Where one is shared, its copy is protected for the task at once. */
void tw__prefetch_task(struct tw_sched *, tw_task, tw_node);
void tw__prefetch_share(struct tw_sched *, tw_task, tw_data, tw_node, unsigned mode);
void tw__prefetch_popped(struct tw_sched *, tw_task, tw_data,
                         tw_node);                  /* a worker there has the task, and asks for it */
void tw__tidy(struct tw_sched *, tw_node);          /* asks for idle write-backs when few data are clean there */
void tw__prefetch_drop(struct tw_sched *, tw_task); /* its data are protected nowhere from now on */

/* bus.c */
void tw__bus_submit(struct tw_sched *, struct request *);
void tw__bus_done(struct tw_sched *, struct request *, const struct tw__completion *);

/* unjam.c */
bool tw__unjam(struct tw_sched *); /* free room is in pieces and nothing moves: false if that is not why */
bool tw__unjam_ready(struct tw_sched *, struct hold *); /* its memory is empty, and its set has places there */

#endif
