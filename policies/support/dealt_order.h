/* Policies that compute an order of all tasks from the data that they share, and deal it to lists (order_lists.h). */
#ifndef TILEWRIGHT_DEALT_ORDER_H
#define TILEWRIGHT_DEALT_ORDER_H

#include "policies/support/order_lists.h"

/* Fills order[n_tasks]; TW_NOMEM. See sharing.h. */
typedef int tw_sharing_order(tw_task *order, const struct tw_sharing *);

/* The init of such a policy, whose state is the lists. Each accelerator gets a contiguous part of the order.
 * `policy`: its name. */
int tw_dealt_order_init(struct tw_order_lists *, struct tw_sched *, tw_sharing_order *, const char *policy,
                        struct tw_error *);

#endif
