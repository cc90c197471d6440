/* The set of workers that wait for a task, and the choice of workers to wake, for policies on a table of data
 * (data_table.h). A worker waits from a pop that finds no task until it is told of a task. Before the first task all
 * workers wait. */
#ifndef TILEWRIGHT_DATA_WAITING_H
#define TILEWRIGHT_DATA_WAITING_H

#include <tilewright/containers.h>

#include "policies/support/data_table.h"

struct tw_data_waiting {
	struct tw_data_table *table;
	struct tw_id_set waiting; /* workers that wait for a task */
	struct tw_id_set told;    /* scratch set: the workers that are being told of a task */
	/* [units + 2] the workers of each unit; then those of all units; then those of no unit */
	struct tw_id_set *members;
	int32_t *n_busy;       /* [units] number of the unit's workers that do not wait */
	struct tw_id_set busy; /* units with a worker that does not wait */
};

void tw_data_waiting_init(struct tw_data_waiting *,
                          struct tw_data_table *); /* initialises the sets; all workers wait */

void tw_data_waiting_asked(struct tw_data_waiting *, tw_worker, bool found); /* notes a pop that found a task or none */

/* Returns the waiting worker that should be woken for a ready task; TW_NONE: no waiting worker can run it. With a unit,
 * the choice is among the unit's workers; with TW_NONE, among all workers. The worker is of the unit predicted to end
 * the task first; cores of no unit come last. */
tw_worker tw_data_waiting_best(const struct tw_data_waiting *, tw_task, int unit);

/* Wakes the worker that tw_data_waiting_best() returns, if there is one. */
void tw_data_waiting_tell(struct tw_data_waiting *, tw_task, int unit);
/* Wakes all waiting workers that belong to units; with `beside`, those that belong to no unit. */
void tw_data_waiting_tell_all(struct tw_data_waiting *, bool beside);

/* Whether no unit has a task planned or taken, and all workers of units wait. */
bool tw_data_waiting_all_have_nothing(const struct tw_data_waiting *);

/* Whether some unit has no task planned or taken, but may still find one: the last pop of one of its workers found a
 * task. */
bool tw_data_waiting_one_has_nothing(const struct tw_data_waiting *);

#endif
