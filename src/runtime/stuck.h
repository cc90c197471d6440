/* A run in which no event can come any more, although tasks are left: the message that says why. */
#ifndef TW__STUCK_H
#define TW__STUCK_H

#include "runtime/state/state.h"

/* Fails the run. If tasks wait for each other, the message names the cycle. If one waits for something that nobody
 * will give, it names that. Otherwise the policy keeps ready tasks back. */
void tw__stuck(struct tw_sched *);

#endif
