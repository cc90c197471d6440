/* A worker's thread. */
#ifndef TW__DRIVER_H
#define TW__DRIVER_H

#include "runtime/state/state.h"

void tw__driver_run(struct driver *);             /* until it sleeps or a step takes time */
struct hold *tw__driver_running(struct driver *); /* the task held whose kernel runs; NULL: none does */
/* What a turn of its loop may have to do: with what it holds, before it polls; with transfers; ask the policy. */
bool tw__driver_may_begin(const struct driver *);
bool tw__driver_may_pop(const struct driver *);
bool tw__driver_may_move(const struct driver *); /* transfers want something of it */
void tw__driver_set_idle(struct driver *);       /* a pop of it has found nothing */
void tw__driver_drop(struct driver *);           /* the first task held, whose kernel was cancelled */

#endif
