/* Data by age: what eviction policies that look at each memory's data from the oldest on do at each event. Their state is, or
 * begins with, a struct tw_data_lists; the first data in a list is the oldest. A help for eviction policies: members of struct
 * tw_eviction, which explains the arguments. */
#ifndef TILEWRIGHT_AGE_ORDER_H
#define TILEWRIGHT_AGE_ORDER_H

#include <tilewright/data_list.h>

#ifdef __cplusplus
extern "C" {
#endif

int tw_age_order_init(struct tw_sched *, void *state, struct tw_error *err);
void tw_age_order_finish(struct tw_sched *, void *state);

void tw_age_order_loaded(struct tw_sched *, void *state, tw_data, tw_node); /* the youngest */
void tw_age_order_used(struct tw_sched *, void *state, tw_data,
                       tw_node); /* the youngest again; left out: as if unused */
void tw_age_order_expendable(struct tw_sched *, void *state, tw_data, tw_node); /* the oldest */
void tw_age_order_evicted(struct tw_sched *, void *state, tw_data, tw_node);

/* The oldest that may leave. */
tw_data tw_age_order_victim(struct tw_sched *, void *state, tw_node, const struct tw_victim_query *);

#ifdef __cplusplus
}
#endif
#endif
