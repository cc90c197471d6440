/* random: each ready task goes to a worker drawn by speed: the faster it runs this task, the likelier, in proportion
 * (w-rand of Augonnet 2011, section 3.4.1, with the speed for the task at hand in place of one figure for each worker). First
 * in, first out; nobody steals, so the balance is as good as the law of large numbers makes it. */
#include <tilewright/policy.h>
#include <tilewright/worker_queues.h>

static int init(struct tw_sched *s, void *state, struct tw_error *err) { return tw_worker_queues_init(state, s, err); }

static void finish(struct tw_sched *s, void *state)
{
	(void)s;
	tw_worker_queues_finish(state);
}

/* Equation 3.1: the worker whose part of the line from 0 to the sum of all speeds holds the number drawn. */
static tw_worker draw(struct tw_sched *s, tw_task task)
{
	double sum = 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		sum += 1 / tw_task_length(s, task, w); /* 0 where it cannot run */
	double left = tw_random(s) * sum;
	tw_worker last = TW_NONE;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		double speed = 1 / tw_task_length(s, task, w);
		if (speed <= 0)
			continue;
		last = w;
		if (left < speed)
			break;
		left -= speed;
	}
	return last;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_worker_queues_give(state, s, task, 0, draw(s, task));
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s;
	return tw_worker_queues_take(state, worker);
}

const struct tw_policy tw_policy_random = {
	.abi = TW_POLICY_ABI,
	.name = "random",
	.summary = "a worker drawn for each task, by speed",
	.state_size = sizeof(struct tw_worker_queues),
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
};
