/* dmdap: dmda with queues sorted by priority, of equals the oldest first (StarPU's dmdap; heft-tmdp-pr of Augonnet 2011, section
 * 3.6.4, with the priorities of its section 3.3.1). */
#include <tilewright/deque_model.h>
#include <tilewright/policy.h>

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	return tw_deque_model_init(state, s, TW_PREDICTS_TRANSFERS | TW_SORTED_DEQUES, err);
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

const struct tw_policy tw_policy_dmdap = {
	.abi = TW_POLICY_ABI,
	.name = "dmdap",
	.summary = "as dmda, sorted by priority",
	.params = params,
	.state_size = sizeof(struct tw_deque_model),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.started = started,
	.done = done,
};
