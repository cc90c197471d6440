/* Ready tasks dealt out to units, one after the other: each to the unit that would end it first, behind all that this unit has queued and
 * was dealt before. A help for policies on a table of data (data_table.h).
 *
 * Each unit that asks is told how the others deal, but prefers itself among equals. So all that is known of the others is kept, until
 * the table changes: then many units can ask for the price of one. */
#ifndef TILEWRIGHT_DATA_DEAL_H
#define TILEWRIGHT_DATA_DEAL_H

#include "policies/support/data_table.h"

enum { TW_MOST_DEALT = 64 };

struct tw_dealt {
	tw_task task;
	int unit;
	int64_t end_ns; /* when the unit would have ended it */
};

struct tw_data_deal {
	struct tw_data_table *table;
	int64_t *more_ns; /* [units] of what they were dealt */
	uint64_t version; /* of the table */
	int n;
	struct tw_dealt dealt[TW_MOST_DEALT];
};

/* TW_NOMEM: nothing is left allocated. */
int tw_data_deal_init(struct tw_data_deal *, struct tw_data_table *);
void tw_data_deal_finish(struct tw_data_deal *);

/* Whether a deal holds while the table does not change: accumulators come to be where nobody tells. */
bool tw_data_deal_is_possible(const struct tw_data_deal *);

/* The unit that gets the i-th task (from 0, below TW_MOST_DEALT) in the eyes of unit k, which can run it, was asked for all tasks before
 * since the table has changed, and got none of them. */
int tw_data_deal(struct tw_data_deal *, int i, tw_task, int k);

#endif
