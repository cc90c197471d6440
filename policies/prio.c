/* prio: one queue for all workers, sorted by priority, then by age. The first worker that asks gets the first task that
 * it can run (StarPU's prio). The policy does not prefetch. */
#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	tw_task_queue_init(state, s, tw_task_links_create(s));
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_task_queue_add(state, task, tw_task_priority(s, task));
	tw_wake_first_idle(s, task);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	tw_task task = tw_task_queue_oldest_for(state, s, worker);
	if (task != TW_NONE)
		tw_task_queue_remove(state, task, tw_task_priority(s, task));
	return task;
}

const struct tw_policy tw_policy_prio = {
	.abi = TW_POLICY_ABI,
	.name = "prio",
	.summary = "one queue by priority, first come first served",
	.state_size = sizeof(struct tw_task_queue),
	.flags = TW_SORTS_BY_PRIORITY | TW_POP_ONLY_TAKES,
	.init = init,
	.push = push,
	.pop = pop,
};
