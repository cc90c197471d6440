/* The state of copies, one data on one node each: valid or not, pinned, wished for, protected, written. Only these functions
 * change it. */
#ifndef TW__COPY_H
#define TW__COPY_H

#include "runtime/state/state.h"

void tw__memory_changed(struct tw_sched *, tw_node);                       /* there may be room now */
void tw__copy_changed(struct tw_sched *, tw_data, tw_node);                /* what decides whether it may leave */
void tw__copy_settle(struct tw_sched *, tw_data, tw_node, bool allocated); /* its room has come or gone */
void tw__copy_clean(struct tw_sched *, tw_data, tw_node, bool clean);      /* as far as the backing memory is known */
void tw__copy_pin(struct tw_sched *, tw_data, tw_node);
void tw__copy_unpin(struct tw_sched *, tw_data, tw_node);                  /* an invalid one that nobody holds leaves */
void tw__copy_wish(struct tw_sched *, tw_data, tw_node, struct request *); /* NULL: no longer */
void tw__copy_loading(struct tw_sched *, tw_data, tw_node);                /* that request's turn has come */
void tw__copy_apart(struct tw_sched *, tw_data, tw_node, int requests);    /* + or - that have not had their turn */
void tw__copy_protect(struct tw_sched *, tw_data, tw_node, int tasks);     /* + or - */
void tw__copy_writers(struct tw_sched *, tw_data, int tasks);              /* + or - */
void tw__copy_validate(struct tw_sched *, tw_data, tw_node);
void tw__copy_invalidate(struct tw_sched *, tw_data, tw_node);
void tw__own(struct tw_sched *, tw_data, tw_node); /* the copy on the node becomes the only valid one */

/* leave.c: it leaves its memory; `gives_room`: what comes next does not take its place. */
void tw__copy_leave(struct tw_sched *, tw_data, tw_node, enum tw__cause, bool gives_room);

#endif
