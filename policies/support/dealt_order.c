#include "policies/support/dealt_order.h"

#include <stdlib.h>

int tw_dealt_order_init(struct tw_order_lists *lists, struct tw_sched *s, tw_sharing_order *make, const char *policy,
                        struct tw_error *err)
{
	struct tw_sharing sharing = {0};
	if (tw_order_lists_init(lists, s, err))
		return TW_NOMEM;
	tw_task *order = malloc(((size_t)lists->n_tasks + 1) * sizeof *order);
	bool complete = order && !tw_sharing_init(&sharing, tw_sched_graph(s), TW_SHARED) && !make(order, &sharing) &&
	                !tw_order_lists_deal(lists, s, order);
	tw_sharing_finish(&sharing);
	free(order);
	if (complete)
		return TW_OK;
	tw_order_lists_free(lists);
	return tw_fail(err, TW_NOMEM, "policy '%s': out of memory", policy);
}
