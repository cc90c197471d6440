/* dmdap: dmda with the queue of each worker sorted by priority; ties: the oldest task goes first. This is StarPU's
 * dmdap, and heft-tmdp-pr of Augonnet 2011, section 3.6.4, with the priorities of section 3.3.1. */
#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	return tw_deque_model_init(s, state, TW_PREDICTS_TRANSFERS | TW_SORTED_DEQUES, NULL);
}

const struct tw_policy tw_policy_dmdap = {
	.name = "dmdap",
	.summary = "as dmda, sorted by priority",
	.params = params,
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	TW_DEQUE_MODEL_MEMBERS,
};
