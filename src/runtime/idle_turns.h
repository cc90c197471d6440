/* Workers whose threads sleep take their turns. */
#ifndef TW__IDLE_TURNS_H
#define TW__IDLE_TURNS_H

#include "runtime/state/state.h"

/* Lets some of those go on that come before `next`, the first other thread that can (NULL: there is none). False:
 * none comes before it. */
bool tw__idle_go_on(struct tw_sched *, const struct driver *next);

#endif
