/* The workers that wait for a task, and which of them to wake, for policies on a table of data (data_table.h). A
 * worker waits from a pop that finds nothing until it is told of a task. Before the first task all workers wait. */
#ifndef TILEWRIGHT_DATA_WAITING_H
#define TILEWRIGHT_DATA_WAITING_H

#include <tilewright/containers.h>

#include "policies/support/data_table.h"

struct tw_data_waiting {
	struct tw_data_table *table;
	struct tw_id_set waiting;  /* workers */
	struct tw_id_set told;     /* scratch: the workers being told */
	struct tw_id_set *members; /* [units + 2] workers of each unit; then of all units; then of none */
	int32_t *n_busy;           /* [units] number of its workers that do not wait */
	struct tw_id_set busy;     /* units with n_busy above 0 */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_data_waiting_init(struct tw_data_waiting *, struct tw_data_table *);
void tw_data_waiting_finish(struct tw_data_waiting *);

void tw_data_waiting_asked(struct tw_data_waiting *, tw_worker, bool found);
/* Several workers that found nothing: see pops_in_vain in tilewright/policy.h. */
void tw_data_waiting_asked_in_vain(struct tw_data_waiting *, tw_worker first, uint64_t who);

/* The waiting worker of the unit that would end the ready task first, among those that can run it; cores of no unit
 * come last. With a unit, only its workers count; with TW_NONE, all. Returns TW_NONE if none waits. */
tw_worker tw_data_waiting_best(const struct tw_data_waiting *, tw_task, int unit);

void tw_data_waiting_tell(struct tw_data_waiting *, tw_task, int unit); /* wakes the best worker, if there is one */
/* Wakes all waiting workers: those of units, or those of no unit (`beside`). */
void tw_data_waiting_tell_all(struct tw_data_waiting *, bool beside);

/* Whether a unit has no task planned or taken, but a worker of it has not yet found nothing in a pop. */
bool tw_data_waiting_one_has_nothing(const struct tw_data_waiting *);

#endif
