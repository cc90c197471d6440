/* The set-up of policies that compute an order of all tasks from the data that tasks share. The order is dealt out to
 * the lists of order_lists.h. */
#ifndef TILEWRIGHT_DEALT_ORDER_H
#define TILEWRIGHT_DEALT_ORDER_H

#include "policies/support/order_lists.h"

/* A function that fills order[n_tasks] with an order of all tasks, as tw_mst_order in sharing.h does. Returns TW_OK or
 * TW_NOMEM. */
typedef int tw_sharing_order(tw_task *order, const struct tw_sharing *);

/* Fills the lists, which are the state of the policy: each accelerator gets a contiguous part of the order. Call it in
 * the policy's init. `policy`: the name of the policy, for error messages. */
int tw_dealt_order_init(struct tw_order_lists *, struct tw_sched *, tw_sharing_order *, const char *policy,
                        struct tw_error *);

#endif
