/* A worker's thread. */
#ifndef TW__DRIVER_H
#define TW__DRIVER_H

#include "runtime/state/state.h"

void tw__driver_run(struct driver *);             /* until it sleeps or a step takes time */
struct hold *tw__driver_running(struct driver *); /* the task held whose kernel runs; NULL: none does */
/* Whether a turn of its loop may find work: with held tasks; with transfers. */
bool tw__driver_may_begin(const struct driver *);
bool tw__driver_may_move(const struct driver *); /* transfers need this thread */
void tw__driver_set_idle(struct driver *);       /* its last pop has found nothing */
void tw__driver_drop(struct driver *);           /* drops the first held task, whose kernel was cancelled */

#endif
