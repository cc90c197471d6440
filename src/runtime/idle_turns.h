/* Turns of workers whose threads sleep (state/idle.h). */
#ifndef TW__IDLE_TURNS_H
#define TW__IDLE_TURNS_H

#include "runtime/state/state.h"

/* Lets some of these workers go on that come before `next`, the first other runnable thread (NULL: there is none).
 * False: no such worker comes before it. */
bool tw__idle_go_on(struct tw_sched *, const struct driver *next);

#endif
