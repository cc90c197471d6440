/* Opening and closing the state of a run. tw__rt_close is due even if tw__rt_open has failed. */
#ifndef TW__OPEN_H
#define TW__OPEN_H

#include "runtime/state/state.h"

int tw__rt_open(struct tw_sched *);
void tw__rt_close(struct tw_sched *);

#endif
