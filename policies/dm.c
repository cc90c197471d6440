/* dm: each ready task goes at once to the worker predicted to end it first. This is the worker w with the least
 * Avail(w) + Est(task, w). Avail is the predicted date when the worker has ended its queue, and Est the predicted time
 * of the task there. The prediction leaves out transfers. Queues are first in, first out. This is heft-tm of Augonnet
 * 2011, section 3.4.3, equation 3.2; with prefetch it is heft-tm-pr, section 3.6.1. */
#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	return tw_deque_model_init(s, state, 0, NULL);
}

const struct tw_policy tw_policy_dm = {
	.name = "dm",
	.summary = "the worker predicted to end the task first, without transfers",
	.params = params,
	.init = init,
	TW_DEQUE_MODEL_MEMBERS,
};
