/* dmdar: dmda, but each worker takes from its queue the task that needs the fewest bytes transferred to the worker's
 * memory. This rule is Ready of Gonthier et al. 2024, Algorithm 2. */
#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	return tw_deque_model_init(s, state, TW_PREDICTS_TRANSFERS | TW_MOST_READY, NULL);
}

const struct tw_policy tw_policy_dmdar = {
	.name = "dmdar",
	.summary = "as dmda, but each worker takes the task most ready in its memory",
	.params = params,
	.init = init,
	TW_DEQUE_MODEL_MEMBERS,
};
