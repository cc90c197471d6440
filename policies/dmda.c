/* dmda: dm with predicted transfers: the worker of least cost, cost = end + transfer, takes the task (heft-tmdp of
 * Augonnet 2011, section 3.6; DMDA of Gonthier et al. 2024, Algorithm 1). First in, first out. */
#include <tilewright/deque_model.h>
#include <tilewright/policy.h>

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_deque_model_init(state, s, TW_PREDICTS_TRANSFERS, err);
}

static void finish(struct tw_sched *s, void *state)
{
	(void)s;
	tw_deque_model_finish(state);
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_deque_model_give(state, s, task, tw_deque_model_choose(state, s, task));
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	return tw_deque_model_pop(state, s, worker, false);
}

static void started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	tw_deque_model_started(state, s, task, worker);
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	tw_deque_model_done(state, s, task, worker);
}

const struct tw_policy tw_policy_dmda = {
	.abi = TW_POLICY_ABI,
	.name = "dmda",
	.summary = "as dm, with predicted transfers",
	.params = params,
	.state_size = sizeof(struct tw_deque_model),
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.started = started,
	.done = done,
};
