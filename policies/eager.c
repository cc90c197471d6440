/* eager: one queue for all workers, first in, first out. The first worker that asks gets the first task that it can
 * run. The policy ignores priorities, locality and predictions, and does not prefetch. This is StarPU's eager, greedy
 * of Augonnet 2011, and EAGER of Gonthier et al. 2024, section 4.1. */
#include <math.h>

#include <tilewright/policy.h>

struct eager {
	tw_task *queue; /* room for all tasks of the run: each task is pushed once, so the queue never wraps around */
	int32_t first, end;
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct eager *e = state;
	(void)err;
	e->queue = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *e->queue);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct eager *e = state;
	(void)released_by;
	e->queue[e->end++] = task;
	tw_wake_first_idle(s, task);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct eager *e = state;
	for (int32_t i = e->first; i < e->end; i++) {
		tw_task task = e->queue[i];
		if (isinf(tw_task_length(s, task, worker)))
			continue;
		tw_looked_at(s, i - e->first + 1);
		for (; i > e->first; i--) /* shifts the tasks ahead by one place; this worker cannot run them */
			e->queue[i] = e->queue[i - 1];
		e->first++;
		return task;
	}
	tw_looked_at(s, e->end - e->first);
	return TW_NONE;
}

const struct tw_policy tw_policy_eager = {
	.abi = TW_POLICY_ABI,
	.name = "eager",
	.summary = "one queue, first come first served",
	.state_size = sizeof(struct eager),
	.flags = TW_POP_ONLY_TAKES,
	.init = init,
	.push = push,
	.pop = pop,
};
