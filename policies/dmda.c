/* dmda: each ready task goes at once to the worker w with the least Avail(w) + Est(task, w) + Transfer(task, w). Avail
 * is the predicted date when the worker has ended its queue, and Est the predicted time of the task there. Transfer
 * adds up, for each handle that the task reads, the predicted time of the fastest transfer to the worker's memory. The
 * parameters alpha and beta weight the terms as in StarPU. Queues are first in, first out. This is heft-tmdp of
 * Augonnet 2011, section 3.6.4, equation 3.6, and DMDA of Gonthier et al. 2024, Algorithm 1. */
#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	return tw_deque_model_init(s, state, TW_PREDICTS_TRANSFERS, NULL);
}

const struct tw_policy tw_policy_dmda = {
	.name = "dmda",
	.summary = "as dm, with predicted transfers",
	.params = params,
	.init = init,
	TW_DEQUE_MODEL_MEMBERS,
};
