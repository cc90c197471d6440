/* The steps of a thread, and what a turn of its loop may find. The loop itself is described in driver.c. */
#ifndef TW__DRIVER_H
#define TW__DRIVER_H

#include "runtime/state/state.h"

void tw__driver_run(struct driver *);             /* runs the thread until it sleeps or a step takes time */
struct hold *tw__driver_running(struct driver *); /* returns the held task whose kernel runs, or NULL */
/* Whether a turn of the thread's loop may find work: with tasks that the worker holds (begin), or with transfers
 * (move). */
bool tw__driver_may_begin(const struct driver *);
bool tw__driver_may_move(const struct driver *);
void tw__driver_set_idle(struct driver *); /* notes that the worker's last pop returned no task */
void tw__driver_drop(struct driver *);     /* removes the worker's first held task, whose kernel was cancelled */

#endif
