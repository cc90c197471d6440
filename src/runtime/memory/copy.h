/* Functions that change the state of copies: valid, pinned, requested, protected, written. No other code changes it. */
#ifndef TW__COPY_H
#define TW__COPY_H

#include "runtime/state/state.h"

void tw__memory_changed(struct tw_sched *, tw_node);        /* notes that the memory may have room now */
void tw__copy_changed(struct tw_sched *, tw_data, tw_node); /* updates whether the copy may be evicted */
/* Notes that room for the copy was allocated, or was freed. */
void tw__copy_settle(struct tw_sched *, tw_data, tw_node, bool allocated);
void tw__copy_clean(struct tw_sched *, tw_data, tw_node, bool clean); /* makes the copy count as clean or as dirty */
void tw__copy_pin(struct tw_sched *, tw_data, tw_node);
/* Removes one pin. An invalid copy without pins then leaves the memory. */
void tw__copy_unpin(struct tw_sched *, tw_data, tw_node);
/* Sets the pending request of the copy; NULL: the request has ended. */
void tw__copy_request(struct tw_sched *, tw_data, tw_node, struct request *);
/* notes that a thread has begun to issue the copy's request */
void tw__copy_loading(struct tw_sched *, tw_data, tw_node);
/* Adds `requests` (1 or -1) to the number of requests for the copy in state REQUEST_APART. */
void tw__copy_apart(struct tw_sched *, tw_data, tw_node, int requests);
/* Adds `tasks` (1 or -1) to the number of queued tasks that protect the copy. */
void tw__copy_protect(struct tw_sched *, tw_data, tw_node, int tasks);
/* Adds `tasks` (1 or -1) to the number of assigned tasks that write the handle. */
void tw__copy_writers(struct tw_sched *, tw_data, int tasks);
void tw__copy_validate(struct tw_sched *, tw_data, tw_node);
void tw__copy_invalidate(struct tw_sched *, tw_data, tw_node);
void tw__own(struct tw_sched *, tw_data, tw_node); /* makes the copy on the node the only valid one */

/* In leave.c: removes a copy from its memory. `gives_room`: whether its room becomes free; if not, the next copy takes
 * its place. */
void tw__copy_leave(struct tw_sched *, tw_data, tw_node, enum tw__cause, bool gives_room);

#endif
