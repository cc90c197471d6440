/* Which workers wait for a task, and whom of them to tell of one, for policies on a table of data (data_table.h). A worker waits from
 * when it has asked and found nothing until it is told; before the first task all do. */
#ifndef TILEWRIGHT_DATA_WAITING_H
#define TILEWRIGHT_DATA_WAITING_H

#include <tilewright/containers.h>

#include "policies/support/data_table.h"

struct tw_data_waiting {
	struct tw_data_table *table;
	struct tw_id_set waiting;  /* workers */
	struct tw_id_set told;     /* while all are told */
	struct tw_id_set *members; /* [units + 2] the workers of each; then those of all units, and those beside them */
	int32_t *n_busy;           /* [units] workers that do not wait */
	struct tw_id_set busy;     /* units with such workers */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_data_waiting_init(struct tw_data_waiting *, struct tw_data_table *);
void tw_data_waiting_finish(struct tw_data_waiting *);

void tw_data_waiting_asked(struct tw_data_waiting *, tw_worker, bool found);
/* Several, which found nothing: see pops_in_vain in tilewright/policy.h. */
void tw_data_waiting_asked_in_vain(struct tw_data_waiting *, tw_worker first, uint64_t who);

/* Of those that wait and can run the ready task, the one of the unit that would end it first; cores beside units come last. Of one unit
 * alone, or of all (TW_NONE). TW_NONE: none waits. */
tw_worker tw_data_waiting_best(const struct tw_data_waiting *, tw_task, int unit);

void tw_data_waiting_tell(struct tw_data_waiting *, tw_task, int unit); /* the best, if there is one */
/* All that wait: those of units, or those beside them. */
void tw_data_waiting_tell_all(struct tw_data_waiting *, bool beside);

/* Whether a unit has nothing planned or taken, but has not found yet that there is nothing for it. */
bool tw_data_waiting_one_has_nothing(const struct tw_data_waiting *);

#endif
