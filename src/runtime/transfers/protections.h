/* Which copies are protected for tasks in queues. */
#ifndef TW__PROTECTIONS_H
#define TW__PROTECTIONS_H

#include "runtime/state/state.h"

bool tw__claim_still_waits(const struct tw_sched *, const struct request *); /* its task, in a queue of that memory */
/* Its task has not prefetched elsewhere meanwhile. */
bool tw__claim_is_current(const struct tw_sched *, const struct request *);
bool *tw__claim_awaits_turn(struct tw_sched *, tw_task, tw_data); /* whether that prefetch of the task does */
void tw__claim_served(struct tw_sched *, const struct request *); /* it is over, whether the data is there or not */
void tw__claim_popped(struct tw_sched *, tw_task, tw_data,
                      tw_node);                   /* a worker there has the task, which asks for the data */
void tw__claims_drop(struct tw_sched *, tw_task); /* its prefetched data may leave */

#endif
