/* dmda: dm with predicted transfers: argmin over workers of Avail(w) + Est(task, w) + the sum over its data of the least T(from, w)
 * (heft-tmdp of Augonnet 2011, section 3.6.4, equation 3.6; DMDA of Gonthier et al. 2024, Algorithm 1), weighted by alpha and beta as
 * in StarPU. First in, first out. */
#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_deque_model_init(s, state, TW_PREDICTS_TRANSFERS, err);
}

const struct tw_policy tw_policy_dmda = {
	.abi = TW_POLICY_ABI,
	.name = "dmda",
	.summary = "as dm, with predicted transfers",
	.params = params,
	.state_size = sizeof(struct tw_deque_model),
	.init = init,
	.finish = tw_deque_model_finish,
	.push = tw_deque_model_push,
	.pop = tw_deque_model_pop,
	.started = tw_deque_model_started,
	.done = tw_deque_model_done,
};
