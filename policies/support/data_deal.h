/* Deals ready tasks out to units, one after the other. Each task goes to the unit predicted to end it first, after all
 * tasks that this unit has queued or was dealt before. For policies on a table of data (data_table.h).
 *
 * Each unit that asks gets the same deal, except that it prefers itself in a tie. So the deal is kept until the table
 * changes, and many units can ask for the cost of one. */
#ifndef TILEWRIGHT_DATA_DEAL_H
#define TILEWRIGHT_DATA_DEAL_H

#include "policies/support/data_table.h"

enum { TW_MOST_DEALT = 64 };

struct tw_dealt {
	tw_task task;
	int unit;
	int64_t end_ns; /* predicted end of the task on that unit, in nanoseconds from now */
};

struct tw_data_deal {
	struct tw_data_table *table;
	int64_t *more_ns; /* [units] time of the tasks dealt to each unit so far */
	uint64_t version; /* value of table->version when the deal was made; the deal holds until that changes */
	int n;
	struct tw_dealt dealt[TW_MOST_DEALT];
};

/* Initialises a deal for the table, with no task dealt yet. TW_NOMEM: out of memory, and nothing is left allocated. */
int tw_data_deal_init(struct tw_data_deal *, struct tw_data_table *);
void tw_data_deal_finish(struct tw_data_deal *);

/* Whether a deal stays valid as long as the table does not change. This is not so for graphs with accumulators: no
 * event tells the policy when accumulators become valid. */
bool tw_data_deal_is_possible(const struct tw_data_deal *);

/* Returns the unit that gets the i-th ready task in the deal (i from 0, below TW_MOST_DEALT), if unit k asks. Unit k
 * can run the task. Since the table last changed, unit k must have asked for all tasks before the i-th, and got none of
 * them. */
int tw_data_deal(struct tw_data_deal *, int i, tw_task, int k);

#endif
