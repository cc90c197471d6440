/* ws: work stealing with one queue per worker (policies/support/stealing.h). A worker with an empty queue steals a task
 * from another worker's queue. This is StarPU's ws, which has no paper of its own. Augonnet 2011, section 3.2.1, names
 * work stealing as the choice when no predictions exist.
 *
 * StarPU's manual says that the victim is the most loaded worker (victim=loaded). StarPU's code, as built, takes the
 * next worker in a circle that starts behind the thief's last victim (victim=next). Queues are sorted by priority, as
 * in StarPU's code. */
#include <tilewright/policy.h>

#include "policies/support/stealing.h"

struct ws {
	struct tw_stealing queues; /* must be the first member */
	bool next;
};

static const struct tw_param params[] = {
	{"victim", TW_PARAM_CHOICE, "next", 0, 0, "next|loaded",
         "next: the next worker in a circle, behind the last victim; loaded: the worker with the longest queue"},
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct ws *ws = state;
	(void)err;
	ws->next = tw_args_text(tw_sched_args(s), "victim")[0] == 'n';
	tw_stealing_init(&ws->queues, s);
	return TW_OK;
}

/* Whether thieves try worker a before worker b: a has more queued tasks; ties: the lower worker number. */
static bool goes_before(const struct ws *ws, tw_worker a, tw_worker b)
{
	int32_t x = ws->queues.deques[a].tasks.n_tasks, y = ws->queues.deques[b].tasks.n_tasks;
	return x != y ? x > y : a < b;
}

/* Returns the first victim behind `last`, in the order of goes_before(). `last` = TW_NONE: the first of all. Returns
 * TW_NONE if no victim is left. */
static tw_worker most_loaded_behind(const struct ws *ws, tw_worker last)
{
	const struct tw_id_set *victims = &ws->queues.victims;
	tw_worker best = TW_NONE;
	for (tw_worker v = tw_id_set_next(victims, NULL, 0); v != TW_NONE; v = tw_id_set_next(victims, NULL, v + 1))
		if ((last == TW_NONE || goes_before(ws, last, v)) && (best == TW_NONE || goes_before(ws, v, best)))
			best = v;
	return best;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct ws *ws = state;
	if (ws->next)
		return tw_stealing_pop_in_turn(&ws->queues, s, worker);
	tw_task task = tw_stealing_pop_own(&ws->queues, s, worker);
	for (tw_worker victim = TW_NONE; task == TW_NONE && (victim = most_loaded_behind(ws, victim)) != TW_NONE;)
		task = tw_stealing_rob(&ws->queues, s, worker, victim);
	return task;
}

const struct tw_policy tw_policy_ws = {
	.abi = TW_POLICY_ABI,
	.name = "ws",
	.summary = "work stealing: one queue per worker; an idle worker steals from the next one",
	.params = params,
	.state_size = sizeof(struct ws),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.push = tw_stealing_push,
	.pop = pop,
	.pops_in_vain = tw_stealing_pops_in_vain,
};
