/* Turns without work, of workers in the sets of sleeping workers (state/idle.h). */
#ifndef TW__IDLE_TURNS_H
#define TW__IDLE_TURNS_H

#include "runtime/state/state.h"

/* Lets some workers of the sets in state/idle.h go on. These must come before `next`, the first other runnable thread
 * (NULL: there is none). Returns false if no worker of the sets comes before `next`. */
bool tw__idle_go_on(struct tw_sched *, const struct driver *next);

#endif
