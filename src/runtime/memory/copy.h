/* The state of copies: valid, pinned, requested, protected, written. Only these functions change it. */
#ifndef TW__COPY_H
#define TW__COPY_H

#include "runtime/state/state.h"

void tw__memory_changed(struct tw_sched *, tw_node);                       /* there may be room now */
void tw__copy_changed(struct tw_sched *, tw_data, tw_node);                /* its kind may have changed */
void tw__copy_settle(struct tw_sched *, tw_data, tw_node, bool allocated); /* its room was allocated or freed */
void tw__copy_clean(struct tw_sched *, tw_data, tw_node, bool clean);      /* as the runtime knows it */
void tw__copy_pin(struct tw_sched *, tw_data, tw_node);
void tw__copy_unpin(struct tw_sched *, tw_data, tw_node);                     /* an invalid copy without pins leaves */
void tw__copy_request(struct tw_sched *, tw_data, tw_node, struct request *); /* NULL: the request is over */
void tw__copy_loading(struct tw_sched *, tw_data, tw_node);                   /* its request has its turn */
void tw__copy_apart(struct tw_sched *, tw_data, tw_node, int requests);       /* + or -: those in state REQUEST_APART */
void tw__copy_protect(struct tw_sched *, tw_data, tw_node, int tasks);        /* + or - */
void tw__copy_writers(struct tw_sched *, tw_data, int tasks);                 /* + or - */
void tw__copy_validate(struct tw_sched *, tw_data, tw_node);
void tw__copy_invalidate(struct tw_sched *, tw_data, tw_node);
void tw__own(struct tw_sched *, tw_data, tw_node); /* the copy on the node becomes the only valid one */

/* leave.c: the copy leaves its memory. `gives_room`: its room becomes free; false: the next copy takes its place. */
void tw__copy_leave(struct tw_sched *, tw_data, tw_node, enum tw__cause, bool gives_room);

#endif
