/* dmdas: dmda with the queue of each worker sorted by priority. Among its queued tasks of the highest priority, a
 * worker takes the one that needs the fewest bytes transferred to the worker's memory. This is DMDAS with the rule
 * Ready of Gonthier et al. 2024, section 4.2 and Algorithm 2. */
#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	return tw_deque_model_init(s, state, TW_PREDICTS_TRANSFERS | TW_SORTED_DEQUES | TW_MOST_READY, NULL);
}

const struct tw_policy tw_policy_dmdas = {
	.name = "dmdas",
	.summary = "as dmda, sorted by priority, then by readiness",
	.params = params,
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	TW_DEQUE_MODEL_MEMBERS,
};
